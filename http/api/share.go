package api

import "posthorn/http/door"

// sharingJSON says how a study is shared by its maker, or only that the caller may not share the table.
type sharingJSON struct {
	May   bool          `json:"may"`
	Link  bool          `json:"link"`
	With  []door.Friend `json:"with"`
	Known []door.Friend `json:"known"`
}

// shareJSON changes how a study is shared; members left out stay as they are.
type shareJSON struct {
	ID   string     `json:"id"`
	Link *bool      `json:"link"`
	With *door.Whom `json:"with"`
	Stop string     `json:"stop"`
}

// sharing answers with whom the caller shares their study.
func sharing(c *call) (any, error) {
	s, err := c.Studies().Sharing()
	if err != nil {
		return nil, err
	}
	if s == nil {
		return sharingJSON{With: []door.Friend{}, Known: []door.Friend{}}, nil
	}
	return sharingJSON{true, s.On, s.With, s.Known}, nil
}

// share changes with whom the caller shares their study, and answers with the result.
func share(c *call, in shareJSON) (any, error) {
	if in.Link != nil {
		if err := c.Studies().Share(*in.Link); err != nil {
			return nil, err
		}
	}
	if in.Stop != "" {
		if err := c.Studies().ShareNoMore(in.Stop); err != nil {
			return nil, err
		}
	}
	if in.With != nil {
		if err := c.Studies().ShareWith(*in.With); err != nil {
			return nil, err
		}
	}
	return sharing(c)
}
