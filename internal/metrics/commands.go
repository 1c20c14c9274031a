package metrics

import (
	"errors"
	"regexp"
	"strconv"
)

// kind is the Redis type that a command works on.
type kind string

const (
	hashKind   kind = "hash"
	stringKind kind = "string"
	setKind    kind = "set"
	zsetKind   kind = "zset"
	anyKind    kind = "" // DEL
)

// role is what a command can be in a definition.
type role int

const (
	saves role = iota
	deletes
	queries
)

// operand is what a command works with, rendered: the field of a hash or the
// member of a set, and the value or score.
type operand struct {
	field, value string
	params       map[string]string // of a query
}

// command is one row of the command table.
type command struct {
	kind  kind
	role  role
	field bool    // needs a field or member
	value numeric // what its value must be
	// args are what follows the key.
	args func(o operand) ([]string, error)
	// options are parameters that a query may give.
	options []string
	// number says that the answer is a number, 0 where nothing is.
	number bool
}

// numeric is what a command's value must be.
type numeric int

const (
	noValue numeric = iota
	text
	integer
	float
)

// table has every command that a definition may name.
var table = map[string]command{
	"HSET":         {kind: hashKind, role: saves, field: true, value: text, args: fieldAndValue},
	"HINCRBY":      {kind: hashKind, role: saves, field: true, value: integer, args: fieldAndValue},
	"HINCRBYFLOAT": {kind: hashKind, role: saves, field: true, value: float, args: fieldAndValue},
	"HDEL":         {kind: hashKind, role: deletes, field: true, args: onlyField},
	"HGET":         {kind: hashKind, role: queries, field: true, args: onlyField},
	"HGETALL":      {kind: hashKind, role: queries, args: nothing},
	"HLEN":         {kind: hashKind, role: queries, args: nothing, number: true},
	"SET":          {kind: stringKind, role: saves, value: text, args: onlyValue},
	"INCRBY":       {kind: stringKind, role: saves, value: integer, args: onlyValue},
	"GET":          {kind: stringKind, role: queries, args: nothing},
	"SADD":         {kind: setKind, role: saves, field: true, args: onlyField},
	"SREM":         {kind: setKind, role: deletes, field: true, args: onlyField},
	"SMEMBERS":     {kind: setKind, role: queries, args: nothing},
	"SCARD":        {kind: setKind, role: queries, args: nothing, number: true},
	"ZADD":         {kind: zsetKind, role: saves, field: true, value: float, args: valueAndField},
	"ZREM":         {kind: zsetKind, role: deletes, field: true, args: onlyField},
	"ZSCORE":       {kind: zsetKind, role: queries, field: true, args: onlyField},
	"ZCOUNT":       {kind: zsetKind, role: queries, args: scores, options: []string{"min", "max"}, number: true},
	"ZRANGE":       {kind: zsetKind, role: queries, args: ranks, options: []string{"start", "stop"}},
	"ZCARD":        {kind: zsetKind, role: queries, args: nothing, number: true},
	"DEL":          {kind: anyKind, role: deletes, args: nothing},
}

func nothing(operand) ([]string, error)         { return nil, nil }
func onlyField(o operand) ([]string, error)     { return []string{o.field}, nil }
func onlyValue(o operand) ([]string, error)     { return []string{o.value}, nil }
func fieldAndValue(o operand) ([]string, error) { return []string{o.field, o.value}, nil }
func valueAndField(o operand) ([]string, error) { return []string{o.value, o.field}, nil }

var scorePattern = regexp.MustCompile(`^(\(?-?[0-9]{1,15}(\.[0-9]{1,9})?|[-+]inf)$`)

// paramError says that a parameter cannot be what it is.
type paramError struct{ name, value, message string }

func (e *paramError) Error() string { return e.name + " " + e.message }

var errNotInteger = errors.New("is not a whole number")

func scores(o operand) ([]string, error) {
	return option(o, scorePattern.MatchString, "must be a number, -inf or +inf, behind ( for without it",
		"min", "-inf", "max", "+inf")
}

func ranks(o operand) ([]string, error) {
	whole := func(s string) bool { _, err := strconv.ParseInt(s, 10, 32); return err == nil }
	return option(o, whole, "must be a whole number", "start", "0", "stop", "-1")
}

// option reads two optional parameters with their defaults.
func option(o operand, ok func(string) bool, message, first, firstDefault, second, secondDefault string) ([]string, error) {
	args := []string{firstDefault, secondDefault}
	for i, name := range []string{first, second} {
		value, given := o.params[name]
		if !given {
			continue
		}
		if !ok(value) {
			return nil, &paramError{name, value, message}
		}
		args[i] = value
	}
	return args, nil
}

// What Redis takes for a number is less than what Go does.
var (
	integerPattern = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)
	floatPattern   = regexp.MustCompile(`^-?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
)

// check says what is wrong with a value, before Redis would.
func (n numeric) check(value string) error {
	switch n {
	case integer:
		if _, err := strconv.ParseInt(value, 10, 64); err != nil || !integerPattern.MatchString(value) {
			return errNotInteger
		}
	case float:
		if _, err := strconv.ParseFloat(value, 64); err != nil || !floatPattern.MatchString(value) {
			return errors.New("is not a number")
		}
	case noValue, text:
	}
	return nil
}
