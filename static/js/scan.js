// Tells a scanner from fingers. A scanner types a code within some hundredths
// of a second and ends it with Enter or Tab; nobody types three keys so fast.
(() => {
  'use strict';

  const FAST = 40; // milliseconds between two keys of a scanner
  const HICCUP = 200; // in the midst of a code it may be as slow as that once
  const SILENCE = 500; // after this the next key begins something new
  const LEAST = 3; // keys, counting the one that ends the code

  class Scanner {
    #keys = []; // what was typed without a longer pause: text, and the gap before it
    #last = -Infinity;
    #code = ''; // what the scanner has typed so far, '' while it may be fingers

    // Takes a key and the time of it; answers the code if a scanner types,
    // of which that of before is no part.
    type(text, at, least = LEAST) {
      const gap = at - this.#last;
      if (gap > (this.#code ? SILENCE : HICCUP)) this.forget();
      this.#last = at;
      this.#keys.push({ text, gap });
      if (this.#code) this.#code += text;
      else if (this.#fastKeys() >= least) this.#code = this.#read();
      return this.#code;
    }

    // Takes the key that ends a code; answers the code if a scanner typed it.
    end(at, least = LEAST) {
      const gap = at - this.#last;
      let code = gap <= HICCUP ? this.#code : '';
      if (!code && gap <= FAST && this.#fastKeys() + 1 >= least) code = this.#read();
      this.forget();
      return code;
    }

    // Something else was done than typing.
    forget() {
      this.#keys = [];
      this.#last = -Infinity;
      this.#code = '';
    }

    #fastKeys() { return this.#keys.length - this.#begin(this.#keys.length - 1); }

    // The first of the fast keys that end with this one.
    #begin(last) {
      let first = last;
      while (first > 0 && this.#keys[first].gap <= FAST) first--;
      return first;
    }

    // A code begins with its fast keys, or before a hiccup among them. Who types
    // slowly is no scanner: a slow key before them is not of the code.
    #read() {
      let first = this.#begin(this.#keys.length - 1);
      while (first === 1 || (first > 1 && this.#begin(first - 1) < first - 1)) first = this.#begin(first - 1);
      return this.#keys.slice(first).map((key) => key.text).join('');
    }
  }

  window.Scanner = Scanner;
})();
