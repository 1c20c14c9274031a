// The second click of a double click is meant for what the first one hit. When
// that has gone meanwhile, or would do something else by now, it does nothing.
(() => {
  'use strict';

  let hit; // the button of the click before
  let meant; // what it did then

  function meaning(button) {
    if (!button?.form) return button?.href;
    return button.form.action + '?' + new URLSearchParams(new FormData(button.form));
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button, a');
    const now = meaning(button);
    if (event.detail < 2 || (button === hit && now === meant)) {
      hit = button;
      meant = now;
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
})();
