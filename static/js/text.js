// The texts that scripts show, in the language of the page or of what changes on
// it. The server puts them there: a text by its key, or its plural forms.
(() => {
  'use strict';

  const source = () => document.querySelector('#kiosk[data-texts]') ?? document.body;
  const language = (element) => element.closest('[lang]').lang;

  // The plural form for values.Count, and values in place of {{.Name}}.
  function text(key, values = {}) {
    const place = source();
    let found = JSON.parse(place.dataset.texts)[key];
    if (typeof found === 'object') {
      const form = new Intl.PluralRules(language(place)).select(values.Count);
      found = found[form] ?? found.other;
    }
    return found.replace(/\{\{\.(\w+)\}\}/g, (whole, name) => values[name] ?? whole);
  }

  window.hallcall = { text };
})();
