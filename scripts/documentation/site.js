// The script of every page of the documentation: the theme, and the search. It runs in the head, so that a dark page is
// never bright at first.
(() => {
  const themeKey = 'assay-docs-theme';
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

  /** The theme that the reader chose in this browser; storage can be forbidden. */
  function readTheme() {
    try {
      return localStorage.getItem(themeKey);
    } catch {
      return null;
    }
  }

  function isDark() {
    const theme = readTheme();
    return theme === null ? systemIsDark.matches : theme === 'dark';
  }

  function applyTheme() {
    document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
    const button = document.getElementById('theme');
    if (button) button.textContent = isDark() ? 'Light theme' : 'Dark theme';
  }

  applyTheme();
  systemIsDark.addEventListener('change', applyTheme);

  /** Entries of the index with all words: those whose heading has them come first. */
  function findSections(index, query) {
    const words = query.toLowerCase().match(/[\p{L}\p{N}_$-]+/gu) ?? [];
    if (words.length === 0) return [];
    return index
      .map((entry) => ({ entry, score: scoreOf(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score)
      .slice(0, 12)
      .map(({ entry }) => entry);
  }

  function scoreOf([, title, heading, text], words) {
    const searchedTexts = [
      [heading.toLowerCase(), 12],
      [title.toLowerCase(), 6],
      [text.toLowerCase(), 1],
    ];
    let sum = 0;
    for (const word of words) {
      const score = Math.max(
        ...searchedTexts.map(([searchedText, weight]) => weight * matchQuality(searchedText, word)),
      );
      if (score === 0) return 0;
      sum += score;
    }
    return sum;
  }

  /** 4: the place is the word · 3: a whole word of it · 2: the beginning of one · 1: within one · 0: not there. */
  function matchQuality(searchedText, word) {
    if (searchedText === word) return 4;
    const position = searchedText.indexOf(word);
    if (position === -1) return 0;
    const escapedWord = word.replace(/[$-]/g, String.raw`\$&`);
    if (new RegExp(`(?<![\\p{L}\\p{N}_])${escapedWord}(?![\\p{L}\\p{N}_])`, 'u').test(searchedText)) return 3;
    return new RegExp(`(?<![\\p{L}\\p{N}_])${escapedWord}`, 'u').test(searchedText) ? 2 : 1;
  }

  function describeMatch([address, title, heading, text], query) {
    const item = document.createElement('li');
    item.setAttribute('role', 'option');
    const link = document.createElement('a');
    link.href = address;
    link.tabIndex = -1;
    const name = document.createElement('strong');
    name.textContent = heading === title ? title : `${title} › ${heading}`;
    const excerpt = document.createElement('span');
    const start = Math.max(text.toLowerCase().indexOf(query.trim().toLowerCase().split(/\s+/)[0]) - 40, 0);
    excerpt.textContent = `${start > 0 ? '…' : ''}${text.slice(start, start + 140)}`;
    link.append(name, excerpt);
    item.append(link);
    return item;
  }

  document.addEventListener('DOMContentLoaded', () => {
    applyTheme();
    document.getElementById('theme').addEventListener('click', () => {
      try {
        localStorage.setItem(themeKey, isDark() ? 'light' : 'dark');
      } catch {
        // Without storage the theme of the system stays.
      }
      applyTheme();
    });
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });

    const input = document.getElementById('search');
    const matches = document.getElementById('matches');
    let index;
    let selected = -1;

    function show(open) {
      matches.hidden = !open;
      input.setAttribute('aria-expanded', String(open));
    }

    function select(position) {
      selected = position;
      [...matches.children].forEach((item, index) => {
        item.id = `match-${index}`;
        item.setAttribute('aria-selected', String(index === position));
        if (index === position) item.scrollIntoView({ block: 'nearest' });
      });
      if (position === -1) input.removeAttribute('aria-activedescendant');
      else input.setAttribute('aria-activedescendant', `match-${position}`);
    }

    async function search() {
      index ??= fetch('/docs/search.json').then((response) => response.json());
      const query = input.value;
      const sections = findSections(await index, query);
      // A later query can have been typed while the index was loaded.
      if (query !== input.value) return;
      matches.replaceChildren(...sections.map((section) => describeMatch(section, query)));
      if (query.trim() !== '' && sections.length === 0) {
        const emptyItem = document.createElement('li');
        emptyItem.textContent = `Nothing is about “${query}”.`;
        matches.append(emptyItem);
      }
      show(query.trim() !== '');
      select(sections.length > 0 ? 0 : -1);
    }

    input.addEventListener('input', () => void search());
    input.addEventListener('focus', () => void search());
    input.addEventListener('keydown', (event) => {
      const count = matches.querySelectorAll('a').length;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        if (count > 0) select((selected + (event.key === 'ArrowDown' ? 1 : -1) + count) % count);
      } else if (event.key === 'Enter') {
        matches.children[selected]?.querySelector('a')?.click();
        show(false);
      } else if (event.key === 'Escape') {
        show(false);
      }
    });
    document.addEventListener('click', (event) => {
      if (!event.target.closest('.search')) show(false);
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.target.closest('input')) return;
      event.preventDefault();
      input.focus();
    });
  });
})();
