package metrics

import (
	"embed"

	"github.com/redis/go-redis/v9"
)

//go:embed lua
var luaFiles embed.FS

var (
	definitionPut    = newScript("definition_put")
	batchApply       = newScript("batch_apply")
	generationSwitch = newScript("generation_switch")
	dayAdvance       = newScript("day_advance")
	figuresRead      = newScript("figures_read")
)

func newScript(name string) *redis.Script {
	text, err := luaFiles.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err) // the files are embedded: a wrong name cannot pass the first test
	}
	return redis.NewScript(string(text))
}
