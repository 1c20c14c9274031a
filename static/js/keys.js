// Shortcuts of the proctor page: one key each, where nobody is typing. Whoever
// speaks to the computer, or hits keys by accident, turns them off in their list.
(() => {
  'use strict';

  const OFF = 'hallcall-keys-off';
  const panel = document.getElementById('panel');

  const isOff = () => localStorage.getItem(OFF) !== null;

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (panel.open || event.target.matches('input:not([type=checkbox]), select, textarea')) return;
    const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!button || (isOff() && event.key !== '?')) return;
    event.preventDefault();
    button.click();
  });

  // The box in the list of keys.
  document.addEventListener('htmx:after:swap', () => {
    const box = document.getElementById('keys-on');
    if (box) box.checked = !isOff();
  });
  document.addEventListener('change', (event) => {
    if (event.target.id !== 'keys-on') return;
    if (event.target.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, '1');
  });
})();
