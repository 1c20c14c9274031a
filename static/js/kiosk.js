// The check-in screen: keypad, scanner, the way back to the start, and what to
// do while the server does not answer.
(() => {
  'use strict';

  const RETRY = 3000; // between two tries without an answer
  const IDLE = 30000; // what was typed is dropped after so long
  const WATCH = 15000; // between two looks whether the server is there
  const offline = document.getElementById('kiosk-offline');
  const version = document.body.dataset.version;
  let retrying;
  let idle;

  // The field that takes what comes: the one with the focus, else the one that is waited for.
  const field = () => document.querySelector('#kiosk input:focus') ?? document.querySelector('#kiosk input[autofocus]');
  const typed = () => [...document.querySelectorAll('#kiosk .kiosk-input')].some((input) => input.value);
  const isAnswer = () => document.querySelector('[data-countdown]') !== null;

  function start() {
    clearTimeout(retrying);
    clearTimeout(idle);
    const fresh = document.getElementById('kiosk-start').content.cloneNode(true);
    document.getElementById('kiosk').replaceWith(fresh);
    htmx.process(document.getElementById('kiosk'));
    if (location.search || location.hash) history.replaceState(null, '', location.pathname);
    begin();
  }

  function begin() {
    const first = document.querySelector('#kiosk input[autofocus]');
    first?.focus();
    first?.setSelectionRange(first.value.length, first.value.length);
    const form = document.querySelector('[data-retry]');
    if (form) retry();
    rest();
  }

  // What somebody left half-typed is not shown to the next person.
  function rest() {
    clearTimeout(idle);
    if (field() && (typed() || document.querySelector('.kiosk-error'))) idle = setTimeout(start, IDLE);
  }

  function retry() {
    offline.hidden = false;
    clearTimeout(retrying);
    retrying = setTimeout(() => {
      if (typed()) field().form.requestSubmit();
      else start();
    }, RETRY);
  }

  function press(key) {
    const input = field();
    if (!input) return;
    if (key === 'back') input.value = [...input.value].slice(0, -1).join('');
    else if (key === 'clear') input.value = '';
    else input.value += key;
    input.focus();
    rest();
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-key], [data-act]');
    if (!button) return;
    const act = button.dataset.act;
    if (act === 'start') {
      event.preventDefault();
      start();
    } else if (act === 'letters' || act === 'digits') {
      button.closest('.keypad').dataset.keypad = act;
      field()?.focus();
    } else {
      press(act ?? button.dataset.key);
    }
  });

  // A scanner types without looking: whatever comes goes into the field, and
  // the next person's card ends the answer to the last one.
  document.addEventListener('keydown', (event) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isAnswer()) start();
    if (document.activeElement !== field() && !(event.key === ' ' && document.activeElement?.matches('button, a'))) field()?.focus();
  });
  document.addEventListener('input', rest);

  document.addEventListener('htmx:after:request', (event) => {
    const { status } = event.detail.ctx.response;
    if (status < 502 || status > 504) {
      offline.hidden = true;
      clearTimeout(retrying);
      return;
    }
    event.preventDefault(); // what is on the screen stays
    retry();
  });
  document.addEventListener('htmx:error', (event) => {
    if (event.detail.ctx) retry();
  });
  document.addEventListener('htmx:after:swap', begin);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) start();
  });

  setInterval(() => {
    const count = document.querySelector('[data-countdown]');
    if (!count) return;
    const left = Number(count.textContent) - 1;
    if (left <= 0) start();
    else count.textContent = String(left);
  }, 1000);

  setInterval(async () => {
    try {
      const answer = await fetch('/readyz', { cache: 'no-store' });
      const data = await answer.json();
      if (answer.ok && !typed()) offline.hidden = true;
      if (!answer.ok) offline.hidden = false;
      if (answer.ok && data.version !== version && field() && !typed()) location.reload();
    } catch {
      offline.hidden = false;
    }
  }, WATCH);

  begin();
})();
