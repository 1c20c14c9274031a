package roster

import (
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
)

// classWords are the words that offices write for the classes, in lower case.
var classWords = map[hall.Class][]string{
	hall.ClassManagement: {"management", "manager", "管理", "管理层", "管理人员", "руководство", "руководитель", "администрация"},
	hall.ClassVIP:        {"vip", "贵宾", "重要", "вип", "важный"},
	hall.ClassPriority:   {"priority", "优先", "优先级", "приоритет", "приоритетный", "льготный", "вне очереди"},
	hall.ClassNormal:     {"normal", "ordinary", "standard", "regular", "普通", "一般", "正常", "обычный", "обычная", "общий", "стандарт"},
}

// classByWord finds a class by one of its words.
var classByWord = func() map[string]hall.Class {
	byWord := map[string]hall.Class{}
	for class, words := range classWords {
		for _, word := range words {
			byWord[word] = class
		}
	}
	return byWord
}()

// readClass returns the class that a cell names; an empty cell names none.
func readClass(cell string) (class hall.Class, known bool) {
	word := strings.ToLower(code(cell))
	if word == "" {
		return "", true
	}
	class, known = classByWord[word]
	return class, known
}
