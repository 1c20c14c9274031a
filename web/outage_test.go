package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/hallcall/hallcall/internal/hall"
)

// TestWhyAMachineIsOut takes machines out of service by each of the forms, with
// the kind of the reason, which tile, panel and monitor say.
func TestWhyAMachineIsOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	form := b.get(proctorPath+"/machines/m2", htmx...).expect(t, http.StatusOK).part("out-of-service-form")
	label := form.Find("label[for=oos-code]")
	choice := form.Find("select#oos-code[name=code]")
	if label.Length() != 1 || choice.Find("option").Length() != len(hall.OutageCodes) || choice.Find("option[selected]").AttrOr("value", "") != "other" {
		t.Errorf("the form is %s", form.Text())
	}
	choice.Find("option").Each(func(_ int, option *goquery.Selection) {
		if option.Text() == "" || option.Text() == option.AttrOr("value", "") {
			t.Errorf("a choice without a word: %q", option.AttrOr("value", ""))
		}
	})
	wrong := b.post(proctorPath+"/machines/m2/out-of-service", url.Values{"reason": {"no cable"}, "code": {"weather"}}, htmx...)
	wrong.expect(t, http.StatusUnprocessableEntity)
	if again := wrong.part("out-of-service-form"); again.Find("#oos-code-error").Length() != 1 || again.Find("#oos-code[aria-invalid]").Length() != 1 ||
		again.Find("#oos-reason").AttrOr("value", "") != "no cable" {
		t.Error("what is wrong is not said beside the field, or what was typed is lost")
	}
	wrong = b.post(proctorPath+"/machines/m2/out-of-service", url.Values{"reason": {""}, "code": {"network"}}).expect(t, http.StatusUnprocessableEntity)
	if got := wrong.part("out-of-service-form").Find("option[selected]").AttrOr("value", ""); got != "network" {
		t.Errorf("%q is chosen, network was", got)
	}

	b.post(proctorPath+"/machines/m2/out-of-service", url.Values{"reason": {"no cable"}, "code": {"network"}}).expect(t, http.StatusSeeOther)
	b.says("m2", "Network · no cable")
	if got := b.get("/halls/"+hallID+"/monitor").Find("[data-testid=cell][data-machine=m2]").AttrOr("aria-label", ""); !strings.Contains(got, "out of service, network") {
		t.Errorf("the monitor says %q", got)
	}
	b.post(proctorPath+"/machines/m2/in-service", nil).expect(t, http.StatusSeeOther)

	b.checkIn("c1")
	b.post(proctorPath+"/sittings/s1/transfer", url.Values{"code": {"weather"}, "outOfService": {"true"}}).expect(t, http.StatusUnprocessableEntity)
	b.post(proctorPath+"/sittings/s1/transfer", url.Values{"code": {"cleaning"}, "outOfService": {"true"}, "reason": {""}}).expect(t, http.StatusSeeOther)
	b.says("m1", "Cleaning")
	wrong = b.post(proctorPath+"/sittings/s1/abort", url.Values{"fault": {"machine"}, "code": {"weather"}, "reason": {"smoke"}}).expect(t, http.StatusUnprocessableEntity)
	if again := wrong.part("abort-form"); again.Find("#abort-code-error").Length() != 1 || again.Find("#abort-reason-error").Length() != 0 {
		t.Error("the form to break off does not say what is wrong")
	}
	b.post(proctorPath+"/sittings/s1/abort", url.Values{"fault": {"machine"}, "code": {"other"}, "reason": {"smoke"}}).expect(t, http.StatusSeeOther)
	b.says("m2", "smoke") // that it is something else says nothing more
}

// says fails unless the tile and the panel of a machine that is out of service say why.
func (b *bundle) says(machine, why string) {
	b.t.Helper()
	tile := b.get(proctorPath).Find("[data-testid=tile][data-machine=" + machine + "]")
	if got := tile.Find(".tile-reason").Text(); tile.AttrOr("data-state", "") != "out_of_service" || got != why {
		b.t.Errorf("the tile of %s says %q, want %q", machine, got, why)
	}
	found := false
	b.get(proctorPath+"/machines/"+machine, htmx...).Find(".panel-line").Each(func(_ int, line *goquery.Selection) {
		found = found || line.Text() == why
	})
	if !found {
		b.t.Errorf("the panel of %s does not say %q", machine, why)
	}
}
