package http_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
)

// spec is openapi.json, read as far as the tests need it.
type spec struct {
	doc     map[string]any
	covered map[string]bool // "GET /me 200"
}

func (h *house) spec() *spec {
	h.t.Helper()
	p := h.browser().get("/api/v1/openapi.json")
	require.Equal(h.t, 200, p.status)
	s := &spec{covered: map[string]bool{}}
	require.NoError(h.t, json.Unmarshal([]byte(p.body), &s.doc))
	return s
}

// at follows keys into the document.
func (s *spec) at(keys ...string) any {
	var v any = s.doc
	for _, k := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = s.resolve(m[k])
	}
	return v
}

func (s *spec) resolve(v any) any {
	for {
		m, ok := v.(map[string]any)
		if !ok || m["$ref"] == nil {
			return v
		}
		v = s.at(strings.Split(strings.TrimPrefix(m["$ref"].(string), "#/"), "/")...)
	}
}

// operations lists "GET /path" as the document has them.
func (s *spec) operations() []string {
	var out []string
	for path, item := range s.at("paths").(map[string]any) {
		for method := range item.(map[string]any) {
			out = append(out, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(out)
	return out
}

// find returns the operation of a request, and its path's template.
func (s *spec) find(method, path string) (template string, op map[string]any) {
	path, _, _ = strings.Cut(strings.TrimPrefix(path, "/api/v1"), "?")
	have := strings.Split(path, "/")
	for t, item := range s.at("paths").(map[string]any) {
		want := strings.Split(t, "/")
		o, ok := item.(map[string]any)[strings.ToLower(method)]
		fits := ok && len(want) == len(have)
		for i := 0; fits && i < len(want); i++ {
			fits = want[i] == have[i] || strings.HasPrefix(want[i], "{")
		}
		if fits && (template == "" || !strings.Contains(t, "{")) {
			template, op = t, o.(map[string]any)
		}
	}
	return template, op
}

// check compares an answer with the document.
func (s *spec) check(t *testing.T, method, path string, p page) {
	t.Helper()
	template, op := s.find(method, path)
	require.NotNil(t, op, "%s %s is in no description", method, path)
	res, ok := s.resolve(op["responses"].(map[string]any)[fmt.Sprint(p.status)]).(map[string]any)
	require.True(t, ok, "%s %s answers %d, which is not described: %s", method, template, p.status, p.body)
	s.covered[fmt.Sprintf("%s %s %d", method, template, p.status)] = true
	content, ok := res["content"].(map[string]any)
	if !ok {
		require.Empty(t, p.body)
		return
	}
	media, ok := content[p.header.Get("Content-Type")].(map[string]any)
	require.True(t, ok, "%s %s answers %s", method, template, p.header.Get("Content-Type"))
	if p.header.Get("Content-Type") != "application/json" {
		return
	}
	var v any
	require.NoError(t, json.Unmarshal([]byte(p.body), &v))
	require.NoError(t, s.valid(media["schema"], v, template), p.body)
}

// valid judges a value by a schema: types, members, none missing and none undescribed,
// values, patterns and times.
func (s *spec) valid(schema, v any, where string) error {
	sc, ok := s.resolve(schema).(map[string]any)
	if !ok {
		return fmt.Errorf("%s: no schema", where)
	}
	if values, ok := sc["enum"].([]any); ok && !slices.Contains(values, v) {
		return fmt.Errorf("%s: %v is none of %v", where, v, values)
	}
	switch sc["type"] {
	case nil:
		return nil
	case "object":
		return s.validObject(sc, v, where)
	case "array":
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%s: %v is no array", where, v)
		}
		for i, x := range list {
			if err := s.valid(sc["items"], x, fmt.Sprintf("%s[%d]", where, i)); err != nil {
				return err
			}
		}
		return nil
	case "string":
		return validString(sc, v, where)
	case "integer":
		n, ok := v.(float64)
		if least, is := sc["minimum"].(float64); !ok || n != float64(int64(n)) || is && n < least {
			return fmt.Errorf("%s: %v is no such integer", where, v)
		}
		return nil
	case "boolean":
		if _, ok := v.(bool); !ok {
			return fmt.Errorf("%s: %v is no boolean", where, v)
		}
		return nil
	}
	return fmt.Errorf("%s: a schema of type %v", where, sc["type"])
}

func (s *spec) validObject(sc map[string]any, v any, where string) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: %v is no object", where, v)
	}
	known, _ := sc["properties"].(map[string]any)
	if required, ok := sc["required"].([]any); ok {
		for _, k := range required {
			if _, ok := m[k.(string)]; !ok {
				return fmt.Errorf("%s: %s is missing", where, k)
			}
		}
	}
	for k, x := range m {
		of, ok := known[k]
		if more, is := sc["additionalProperties"].(map[string]any); !ok && is {
			of, ok = more, true
		}
		if !ok && known != nil {
			return fmt.Errorf("%s: %s is not described", where, k)
		}
		if ok {
			if err := s.valid(of, x, where+"."+k); err != nil {
				return err
			}
		}
	}
	return nil
}

func validString(sc map[string]any, v any, where string) error {
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("%s: %v is no string", where, v)
	}
	if p, ok := sc["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(text) {
		return fmt.Errorf("%s: %q is not like %s", where, text, p)
	}
	if sc["format"] == "date-time" {
		if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
	}
	return nil
}

var param = regexp.MustCompile(`:(\w+)`)

func TestTheAPIHasExactlyTheAddressesDescribed(t *testing.T) {
	h := open(t)
	var have []string
	for _, r := range h.server.Echo().Routes() {
		if path, ok := strings.CutPrefix(r.Path, "/api/v1/"); ok {
			have = append(have, r.Method+" /"+param.ReplaceAllString(path, "{$1}"))
		}
	}
	slices.Sort(have)
	require.Equal(t, h.spec().operations(), have)
}

func TestTheDescriptionNamesTheLanguagesOffered(t *testing.T) {
	var offered []any
	for _, tag := range languages.Offered {
		offered = append(offered, tag)
	}
	require.Equal(t, offered, open(t).spec().at("components", "schemas", "Language", "enum"))
}

func TestTheDescriptionHoldsTogether(t *testing.T) {
	s := open(t).spec()
	require.Equal(t, "3.1.0", s.at("openapi"))
	ids := map[string]bool{}
	for _, o := range s.operations() {
		method, path, _ := strings.Cut(o, " ")
		op := s.at("paths", path, strings.ToLower(method)).(map[string]any)
		require.False(t, ids[op["operationId"].(string)], "%s: its id is another's", o)
		ids[op["operationId"].(string)] = true
		require.NotEmpty(t, op["summary"], o)
		var named []string
		for _, p := range op["parameters"].([]any) {
			m := s.resolve(p).(map[string]any)
			if m["in"] == "path" {
				named = append(named, m["name"].(string))
				require.Equal(t, true, m["required"], o)
			}
		}
		for _, m := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(path, -1) {
			require.Contains(t, named, m[1], o)
		}
		require.Equal(t, method == "POST", op["requestBody"] != nil, o)
	}
	var walk func(v any, where string)
	walk = func(v any, where string) {
		switch v := v.(type) {
		case map[string]any:
			if to, ok := v["$ref"].(string); ok {
				require.NotNil(t, s.resolve(v), "%s: %s leads nowhere", where, to)
			}
			for k, x := range v {
				walk(x, where+"/"+k)
			}
		case []any:
			for i, x := range v {
				walk(x, fmt.Sprintf("%s/%d", where, i))
			}
		}
	}
	walk(s.doc, "")
}

func TestTheValidatorFindsWhatIsWrong(t *testing.T) {
	s := open(t).spec()
	good := `{"error":{"code":"x","message":"y"}}`
	schema := map[string]any{"$ref": "#/components/schemas/Error"}
	for text, ok := range map[string]bool{
		good: true, `{}`: false, `{"error":{"code":"x"}}`: false, `{"error":{"code":1,"message":"y"}}`: false,
		`{"error":{"code":"x","message":"y","more":1}}`: false, `[]`: false,
	} {
		var v any
		require.NoError(t, json.Unmarshal([]byte(text), &v))
		require.Equal(t, ok, s.valid(schema, v, "") == nil, text)
	}
}
