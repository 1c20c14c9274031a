package account

import (
	"embed"

	"github.com/redis/go-redis/v9"
)

//go:embed lua
var luaFiles embed.FS

var (
	accountPut = newScript("account_put")
	adminHash  = newScript("admin_hash")
	tokenPut   = newScript("token_put")
)

func newScript(name string) *redis.Script {
	text, err := luaFiles.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err) // the files are embedded: a wrong name cannot pass the first test
	}
	return redis.NewScript(string(text))
}
