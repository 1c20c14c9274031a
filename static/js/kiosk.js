// The check-in screen: keypad, scanner, those who come while the answer to
// another is awaited or shown, and what to do while the server does not answer.
(() => {
  'use strict';

  const RETRY = 3000; // between two tries without an answer
  const PATIENCE = 8000; // for an answer
  const IDLE = 30000; // what was typed is dropped after so long without a key
  const SHOW = 3000; // each answer is shown so long, also when others wait
  const MOST = 20; // so many are kept until it is their turn
  const WATCH = 15000; // between two looks whether the server is there
  const CARD = 5; // so many fast keys in the field of the ID number are another's card
  const offline = document.getElementById('kiosk-offline');
  const kept = document.getElementById('kiosk-kept');
  const blank = document.getElementById('kiosk-start').content.firstElementChild;
  const address = blank.querySelector('form').getAttribute('action');
  const version = document.body.dataset.version;
  const scanner = new Scanner();

  const line = []; // entries that wait for their turn
  let current = null; // the entry that the server is asked about
  let answered = ''; // whose answer is shown
  let early = ''; // what was typed while there was no field for it
  let full = false; // one could not be kept
  let shownAt = 0;
  let touchedAt = 0;
  let retrying;

  const now = () => performance.now();
  const find = (selector) => document.querySelector('#kiosk ' + selector);
  const number = () => find('#candidate');
  const field = () => find('input:focus') ?? find('input[autofocus]');
  const values = () => new URLSearchParams(new FormData(find('form')));
  const typed = () => [...document.querySelectorAll('#kiosk .kiosk-input')].some((input) => input.value);
  const isAnswer = () => find('[data-countdown]') !== null;
  const isStep = () => find('#id4[autofocus]') !== null; // the rest is asked for
  const isRefusal = () => find('.kiosk-error') !== null && !isStep();
  // Somebody chose a language, or how it looks.
  const isForeign = () => document.getElementById('kiosk').lang !== blank.lang || isContrast() !== wantsContrast.matches;
  const isWaited = () => line.length > 0 || early !== '';
  const nameOf = (entry) => entry?.get('candidate') ?? '';

  // An answer stays for a while: nothing that comes takes it away.
  const isHeld = () => !current && now() - shownAt < SHOW && (isAnswer() || (isRefusal() && isWaited()));

  // What somebody types while the server is asked about another.
  const meanwhile = () => (current && number() && number().value !== nameOf(current) ? number().value : '');

  // The screen

  function show(screen) {
    document.getElementById('kiosk').replaceWith(screen);
    contrast(isContrast());
    shownAt = now();
    field()?.focus();
    field()?.select(); // what comes now replaces what is there
    say();
  }

  // Black and white and thick lines, for one person, or for all where the browser is set so.
  const wantsContrast = matchMedia('(prefers-contrast: more)');
  const isContrast = () => document.documentElement.classList.contains('contrast');
  function contrast(on) {
    document.documentElement.classList.toggle('contrast', on);
    find('[data-act=contrast]')?.setAttribute('aria-pressed', String(on));
  }

  // Those who came meanwhile, one after the other, then the screen for anybody.
  function next() {
    contrast(wantsContrast.matches);
    const entry = line.shift();
    const begun = early;
    early = answered = '';
    full = false;
    if (location.search || location.hash) history.replaceState(null, '', location.pathname);
    show(blank.cloneNode(true));
    if (entry) send(entry);
    if (begun) write(begun);
  }

  // Says how many are kept.
  function say() {
    let text = hallcall.text('numbersKept', { Count: line.length });
    if (line.length === 0) text = hallcall.text('typedKept');
    if (full) text = hallcall.text('numbersFull', { Count: line.length });
    if (kept.textContent !== text) kept.textContent = text;
    kept.hidden = !isWaited();
  }

  function write(text) {
    const input = number();
    const rest = find('#id4');
    if (rest) rest.value = '';
    input.value = text;
    input.focus();
    if (text === nameOf(current)) input.select();
  }

  function insert(text) {
    const input = field();
    input.focus();
    if (input.value.length < input.maxLength) input.setRangeText(text, input.selectionStart, input.selectionEnd, 'end');
  }

  // The server

  // Takes an entry: at once, or when it is its turn. Somebody who is asked
  // about, waits or is shown already is the same person once more.
  function take(entry) {
    const name = nameOf(entry);
    const again = name === nameOf(current) || name === answered || line.some((other) => nameOf(other) === name);
    if (!current && !isHeld()) send(entry);
    else if (name.trim() && !again) {
      full = line.length >= MOST;
      if (!full) line.push(entry);
    }
    if (number() && current && number().value !== nameOf(current)) write(nameOf(current));
    say();
  }

  // Names one check-in, so that the server knows it again when no answer came.
  function mark(entry) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    entry.set('try', [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  }

  async function send(entry) {
    current = entry;
    if (!entry.has('try')) mark(entry);
    if (number().value !== nameOf(entry)) write(nameOf(entry));
    field().select();
    find('form').setAttribute('aria-busy', 'true');
    let status = 0;
    let page;
    let wait;
    try {
      const response = await fetch(address, {
        method: 'POST', body: entry, signal: AbortSignal.timeout(PATIENCE),
        headers: { 'HX-Request': 'true', 'HX-Current-URL': location.href },
      });
      page = new DOMParser().parseFromString(await response.text(), 'text/html');
      status = response.status;
      wait = Number(response.headers.get('Retry-After')) * 1000;
      if (response.headers.has('HX-Redirect')) {
        location.assign(response.headers.get('HX-Redirect'));
        return;
      }
    } catch {
      // no answer
    }
    if (status === 429) later(entry, page, wait);
    else if (status === 0 || (status >= 502 && status <= 504)) retry(entry);
    else answer(entry, page);
  }

  // The server wants a moment: it says why, and what was typed stays.
  function later(entry, page, wait) {
    refuse(page.querySelector('[data-testid=error]')?.textContent ?? '', page.querySelector('[data-testid=advice]'));
    offline.hidden = true;
    current = entry;
    find('form').setAttribute('aria-busy', 'true');
    clearTimeout(retrying);
    retrying = setTimeout(() => send(entry), wait || RETRY);
  }

  function lost() {
    offline.querySelector('strong').textContent = hallcall.text('noConnection');
    offline.querySelector('span').textContent = hallcall.text('retrying');
    offline.hidden = false;
  }

  function retry(entry) {
    lost();
    clearTimeout(retrying);
    current = nameOf(entry).trim() ? entry : null;
    if (!current) find('form').removeAttribute('aria-busy');
    else retrying = setTimeout(() => send(entry), RETRY);
  }

  function answer(entry, page) {
    offline.hidden = true;
    early = meanwhile() || early;
    current = null;
    const screen = page.getElementById('kiosk');
    if (!screen) {
      refuse(page.querySelector('[data-testid=notice]')?.textContent ?? '');
      return;
    }
    answered = screen.querySelector('[data-countdown]') ? nameOf(entry) : '';
    show(screen);
  }

  // Nothing is known of the candidate, since something else is wrong.
  function refuse(text, advice) {
    const said = document.createElement('p');
    said.className = 'kiosk-error';
    said.dataset.testid = 'error';
    said.textContent = text.trim() || hallcall.text('broken');
    find('#kiosk-error').replaceChildren(said, ...(advice ? [document.importNode(advice, true)] : []));
    find('form').removeAttribute('aria-busy');
    shownAt = now();
    number().select();
    say();
  }

  // The keys

  function submit() {
    touchedAt = now();
    if (isHeld()) {
      const entry = new URLSearchParams({ candidate: early });
      early = '';
      take(entry);
    } else if (find('form')) {
      take(values());
    }
  }

  // A scanner's code stands alone, whatever was there before.
  function put(code) {
    if (isHeld()) early = code;
    else if (number()) write(code);
  }

  const least = () => (field()?.id === 'id4' && !isHeld() ? CARD : undefined);

  // What has been shown long enough makes room for those who came meanwhile.
  function makeRoom() {
    if (!current && !isHeld() && (isAnswer() || (isRefusal() && isWaited()))) next();
  }

  function character(event) {
    event.preventDefault();
    makeRoom();
    if (event.repeat) scanner.forget();
    const code = scanner.type(event.key, event.timeStamp, least());
    if (code) put(code);
    else if (isHeld()) early += event.key;
    else insert(event.key);
    say();
  }

  // Enter, or Tab of a scanner.
  function end(event) {
    if (isAnswer() && !isHeld() && !isWaited()) return;
    makeRoom();
    const code = scanner.end(event.timeStamp, least());
    if (event.key === 'Tab' && !code) return;
    event.preventDefault();
    if (event.repeat) return;
    if (code) put(code);
    submit();
  }

  function press(key) {
    const input = field();
    scanner.forget();
    touchedAt = now();
    if (!input) return;
    if (key === 'back') input.value = [...input.value].slice(0, -1).join('');
    else if (key === 'clear') input.value = '';
    else if (isHeld()) early += key;
    else insert(key);
    input.focus();
    say();
  }

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    touchedAt = now();
    const onButton = document.activeElement?.matches('button, a') && !early;
    if (event.key === 'Enter' || event.key === 'Tab') {
      if (!onButton || event.key === 'Tab') end(event);
    } else if (event.key.length === 1) {
      if (!onButton || event.key !== ' ') character(event);
    } else if (/^(Backspace|Delete|Home|End|Escape|Arrow.*)$/.test(event.key)) {
      scanner.forget();
      if (event.key === 'Backspace') early = early.slice(0, -1);
      say();
    }
  });
  document.addEventListener('input', () => {
    scanner.forget();
    touchedAt = now();
  });
  document.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  // The form in another language, for this person only: what was typed stays.
  async function speak(link) {
    try {
      const answer = await fetch(link.href, { headers: { 'HX-Request': 'true' }, signal: AbortSignal.timeout(PATIENCE) });
      const screen = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('kiosk');
      if (!answer.ok || !screen || current || isAnswer()) return;
      for (const input of document.querySelectorAll('#kiosk .kiosk-input')) {
        const same = screen.querySelector('#' + input.id);
        if (same) same.value = input.value;
      }
      show(screen);
    } catch {
      // not reachable: the form stays as it is
    }
  }

  document.addEventListener('click', (event) => {
    const link = event.target.closest('[data-lang]');
    if (link) {
      event.preventDefault();
      touchedAt = now();
      speak(link);
      return;
    }
    const button = event.target.closest('[data-key], [data-act]');
    if (!button) return;
    const act = button.dataset.act;
    if (act === 'start') {
      event.preventDefault();
      next();
    } else if (act === 'contrast') {
      contrast(!isContrast());
      touchedAt = now();
      field()?.focus();
    } else if (act === 'letters' || act === 'digits') {
      button.closest('.keypad').dataset.keypad = act;
      field()?.focus();
    } else {
      press(act ?? button.dataset.key);
    }
  });
  window.addEventListener('pageshow', (event) => {
    if (event.persisted && !current) next();
  });

  // The time

  setInterval(() => {
    const age = now() - shownAt;
    const idle = now() - Math.max(shownAt, touchedAt) > IDLE;
    const count = find('[data-countdown]');
    if (count) {
      const left = Math.ceil(((isWaited() ? SHOW : Number(count.dataset.countdown) * 1000) - age) / 1000);
      if (left <= 0) next();
      else if (count.textContent !== String(left)) count.textContent = String(left);
    } else if (current) {
      if (idle && meanwhile()) write(nameOf(current));
    } else if (isRefusal() && isWaited()) {
      if (age >= SHOW) next();
    } else if (idle && (isWaited() || typed() || isRefusal() || isForeign())) {
      next();
    }
  }, 250);

  setInterval(async () => {
    try {
      const response = await fetch('/readyz', { cache: 'no-store' });
      const data = await response.json();
      if (!response.ok) lost();
      else if (!current) offline.hidden = true;
      const rests = !current && !isWaited() && field() && !typed() && !isRefusal() && !isForeign();
      if (response.ok && data.version !== version && rests) location.reload();
    } catch {
      lost();
    }
  }, WATCH);

  contrast(wantsContrast.matches);
  shownAt = now();
  field()?.focus();
  field()?.select();
  if (find('form[data-retry]')) retry(values());
})();
