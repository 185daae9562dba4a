package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"posthorn/events"
)

// exactly checks that what was read beside an event is written as the page says: no null, names and hexadecimal digits
// as they are listed, times in UTC. Other members are for newer programs.
func exactly(text []byte, m events.Meta) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	if err := named(members, "by", "door", "wish", "reply", "opened", "due"); err != nil {
		return err
	}
	if m.Opened != nil && string(members["opened"]) != `"`+m.Opened.String()+`"` {
		return errors.New("opened is no hash in lower-case digits")
	}
	var dues []map[string]json.RawMessage
	if members["due"] == nil {
		return nil
	}
	if err := json.Unmarshal(members["due"], &dues); err != nil {
		return err
	}
	seats := map[string]bool{}
	for _, due := range dues {
		if err := named(due, "seat", "at"); err != nil {
			return err
		}
		var at string
		if json.Unmarshal(due["at"], &at) != nil || due["seat"] == nil || !inUTC(at) {
			return errors.New("a deadline is not written as one")
		}
		if seats[string(due["seat"])] {
			return errors.New("two deadlines are one seat's")
		}
		seats[string(due["seat"])] = true
	}
	return nil
}

// named checks the names of an object's members that are listed: written so, and not null.
func named(members map[string]json.RawMessage, list ...string) error {
	for name, value := range members {
		for _, listed := range list {
			if folded(name) == folded(listed) && (name != listed || string(value) == "null") {
				return fmt.Errorf("member %s is null, or its name is written otherwise", listed)
			}
		}
	}
	return nil
}

// inUTC reports whether a text is a time as events write it.
func inUTC(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil && strings.HasSuffix(text, "Z")
}
