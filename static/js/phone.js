// The phone page: keeps itself up to date, says when it is not, and tells of a
// call by sound and vibration.
(() => {
  'use strict';

  const SILENCE = 12000; // without a message for so long there is no connection
  const FIRST = 500; // before the next try, doubled each time
  const LAST = 8000;
  const ASK_AGAIN = 10000; // between two looks whether the page is still there
  const RELOAD = 4000; // within so long every phone has the page of a new version

  const main = document.querySelector('main');
  const address = main.dataset.live;
  if (!address) return;

  const label = document.getElementById('connection');
  const again = document.getElementById('phone-again');
  const sound = document.getElementById('phone-sound');
  const phone = () => document.getElementById('phone');

  let socket;
  let pause = FIRST;
  let retrying;
  let reloading;
  let heard = performance.now();
  let heardAt = hallcall.now();
  let asked = -ASK_AGAIN;
  let said = phone().dataset.say;
  let call = phone().dataset.call;

  // What is shown

  function connection(online) {
    const text = online ? hallcall.text('live') : hallcall.text('offline', { Time: hallcall.clock(heardAt) });
    const words = label.querySelector('[data-text]');
    if (words.textContent !== text) words.textContent = text;
    label.dataset.state = online ? 'online' : 'offline';
    label.hidden = false;
    again.hidden = online;
  }

  function show(message) {
    for (const fresh of [...new DOMParser().parseFromString(message, 'text/html').body.children]) {
      document.getElementById(fresh.id)?.replaceWith(fresh);
    }
    for (const time of document.querySelectorAll('[data-time]')) time.textContent = hallcall.clock(Number(time.dataset.time));
    tell(phone().dataset);
  }

  function tell(now) {
    document.title = now.title + ' · hallcall';
    if (now.say !== said) {
      said = now.say;
      document.getElementById(now.loud === undefined ? 'phone-status' : 'phone-alert').textContent = said;
    }
    if (now.call && now.call !== call) alarm();
    call = now.call;
  }

  // Sound and vibration

  let audio;

  // Browsers vibrate only for a page that was touched, and complain otherwise.
  function vibrate(pattern) {
    if (navigator.vibrate && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(pattern);
  }

  const isOn = () => sound.getAttribute('aria-pressed') === 'true';

  function alarm() {
    scrollTo(0, 0);
    vibrate([500, 200, 500, 200, 900]);
    if (isOn()) hallcall.chime(audio, 3);
  }

  sound.addEventListener('click', () => {
    sound.setAttribute('aria-pressed', String(!isOn()));
    if (!isOn()) return;
    audio ??= new AudioContext();
    hallcall.chime(audio, 1); // how it will sound
    vibrate(100);
  });
  sound.hidden = !window.AudioContext;

  // The connection

  function online() {
    heard = performance.now();
    heardAt = hallcall.now();
    pause = FIRST;
    connection(true);
  }

  function beat(data) {
    hallcall.correct(data.now);
    // Sound would have to be allowed again after a reload.
    if (data.version && data.version !== document.body.dataset.version && !isOn() && !reloading) {
      reloading = setTimeout(() => location.reload(), Math.random() * RELOAD);
    }
  }

  function connect() {
    clearTimeout(retrying);
    const fresh = new WebSocket(location.origin.replace(/^http/, 'ws') + address);
    socket?.close();
    socket = fresh;
    fresh.onmessage = (event) => {
      if (fresh !== socket) return;
      online();
      if (event.data.startsWith('{')) beat(JSON.parse(event.data));
      else show(event.data);
    };
    fresh.onclose = () => {
      if (fresh !== socket) return;
      connection(false);
      retrying = setTimeout(connect, pause * (0.75 + Math.random() / 2));
      pause = Math.min(LAST, pause * 2);
      isThere();
    };
  }

  // A socket that is refused looks like one that cannot be reached. So ask for
  // the page: when its day is over, show that.
  async function isThere() {
    if (performance.now() - asked < ASK_AGAIN) return;
    asked = performance.now();
    try {
      const answer = await fetch(location.href, { cache: 'no-store' });
      if (answer.status === 404) location.reload();
    } catch {
      // not reachable: the socket goes on trying
    }
  }

  // A phone that wakes up has a socket that may be dead.
  function look() {
    if (performance.now() - heard > SILENCE) {
      connection(false);
      heard = performance.now();
      connect();
    }
  }

  setInterval(look, 1000);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) look(); });
  window.addEventListener('online', connect);
  window.addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });
  again.addEventListener('click', (event) => {
    event.preventDefault();
    location.reload();
  });
  connect();
})();
