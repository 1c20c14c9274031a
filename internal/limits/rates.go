package limits

import (
	"time"

	"github.com/go-redis/redis_rate/v10"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/tries"
)

// Rates are how many requests a second there may be of each kind, and how many at once
// after a quiet time.
type Rates map[access.Limit]redis_rate.Limit

// Defaults are the rates of a site. They stop programs that run wild, never a
// hall that has much to do:
//   - A person needs some seconds at a kiosk, a scanner half a second for a
//     card. One that was without a network sends up to twenty cards at once.
//   - Behind one address there may be every kiosk of a building: twenty that
//     scan a card a second each, in the quarter of an hour before the first
//     session; 300 at once are a whole hall.
//   - Signing in costs the server a slow hash on purpose. Fifty at once are all
//     proctors of a building at eight o'clock.
//   - The screens of a building are let in on one morning. At one try a second
//     nobody finds one of some hundred codes in the ten minutes of its life.
//   - A program may load a day of 10,000 people call by call.
//   - Without a token there is nothing to be had but 401.
//   - All phones of a hall may be behind one address. A phone without scripts
//     asks every 15 seconds: 1,500 phones are 100 a second.
//   - After a restart every page of a building opens its websocket again, phones
//     too, within some seconds.
func Defaults() Rates {
	return Rates{
		access.LimitDevice:    perSecond(5, 60),
		access.LimitKiosks:    perSecond(20, 300),
		access.LimitPairing:   perSecond(1, 60),
		access.LimitLogin:     perSecond(5, 50),
		access.LimitToken:     perSecond(500, 10_000),
		access.LimitAnonymous: perSecond(20, 200),
		access.LimitPhone:     perSecond(100, 2_000),
		access.LimitSocket:    perSecond(200, 10_000),
	}
}

func perSecond(rate, burst int) redis_rate.Limit {
	return redis_rate.Limit{Rate: rate, Burst: burst, Period: time.Second}
}

// Numbers that are not found. A nervous person mistypes two or three times and
// then asks the staff, and the next one who is checked in clears the device:
// six in a row hardly occur, and then cost a second. Who guesses gets three a
// minute at one device. An address may stand for many kiosks; each check-in
// takes two misses off it, so that a queue in which two of three tries fail
// is not slowed, and it never waits long.
var (
	missesOfDevice  = tries.Limit{Kind: "kiosk", Free: 6, First: time.Second, Longest: 20 * time.Second, Kept: 5 * time.Minute}
	missesOfAddress = tries.Limit{Kind: "kiosks", Free: 30, First: time.Second, Longest: 10 * time.Second, Kept: 5 * time.Minute}
)

// takenOff is what a first check-in takes off an address: itself and two misses.
const takenOff = 3
