import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  insertLink,
  insertPicture,
  linkAround,
  markdownToMarkup,
  markdownToText,
  marksAround,
  parseMarkdown,
  pictureName,
  pictureNames,
  toggleMark,
  type Mark,
  type MarkdownPart,
} from '../../../src/engine/formats/markdown';

/** The parts in short: `bold(Pay)`. */
function short(parts: readonly MarkdownPart[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'link') return `link(${short(part.parts)} → ${part.address})`;
      if (part.kind === 'picture') return `picture(${part.text} → ${part.name})`;
      return `${part.kind}(${'parts' in part ? short(part.parts) : part.text})`;
    })
    .join('');
}
const read = (text: string) => short(parseMarkdown(text));

test('Markdown marks around words are read, nested ones too, and none in code', () => {
  expect(read('Press **Pay**, then _wait_.')).toBe('Press bold(Pay), then italic(wait).');
  expect(read('Card `4000 0000 0000 3220`')).toBe('Card code(4000 0000 0000 3220)');
  expect(read('**Press _Back_ or `F5`**')).toBe('bold(Press italic(Back) or code(F5))');
  expect(read('`**a** and _b_`')).toBe('code(**a** and _b_)');
  expect(read('See [the **page**](https://example.com/a_(b)?c=1#d).')).toBe(
    'See link(the bold(page) → https://example.com/a_(b)?c=1#d).',
  );
  expect(read('[Write](mailto:qa@example.com)')).toBe('link(Write → mailto:qa@example.com)');
  expect(read('![Two charges](two charges.png)')).toBe('picture(Two charges → two charges.png)');
  expect(read('**one\ntwo**')).toBe('**one\ntwo**');
  expect(read('点击**保存**按钮')).toBe('点击bold(保存)按钮');
});

test('Markdown signs that mark nothing stay as they were typed', () => {
  for (const text of [
    'a*b*c',
    '2 * 3 * 4 and 2 ** 3 ** 4 and 2**3**4',
    'Select *.txt, *.* or **/*.ts and src/**',
    'Search for *card* and %_name%',
    '* one\n* two\n- three',
    'Card **** **** **** 1234, rating ***',
    'user_first_name, name_, __init__, _id, ____',
    'C:\\temp\\_new_\\file and \\*not\\*',
    'f(**a, **b) and f(*args, **kwargs)',
    "it`s John`s, don't",
    '``` \ncode\n```',
    'list[0](x), [text](javascript:alert(1)), [text](data:text/html,x), [text](//evil.example)',
    '[text]( https://example.com), [text](https://exa mple.com), [](https://example.com)',
    '![x](../secret.png), ![x](/api/files/x.png), ![x](x.svg), ![x](x)',
    '<b>bold</b> &lt; <script>alert(1)</script>',
    '"_" and "*" and "`"',
    '{{name}} [optional] (x)',
  ])
    expect(read(text)).toBe(text);
  // A picture of another server is a link at most.
  expect(read('![x](https://evil.example/x.png)')).toBe('!link(x → https://evil.example/x.png)');
});

/** Texts full of the signs that matter, and ordinary ones. */
const signs = fc
  .array(
    fc.constantFrom(
      ...[
        '*',
        '**',
        '_',
        '`',
        '[',
        ']',
        '(',
        ')',
        '!',
        ' ',
        '\n',
        'a',
        'Pay',
        '.png',
        '/',
        '\\',
        '"',
        '.',
        'é',
        '保',
        '😀',
      ],
      ...['](https://a.example)', '![x](a.png)', 'https://a.example', 'mailto:a@b.example', '<b>', 'javascript:x'],
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));
const anyText = fc.oneof(signs, fc.string({ unit: 'grapheme' }));

test('the parsed parts of a Markdown text are the whole text in order', () => {
  const check = (parts: readonly MarkdownPart[], from: number, to: number, text: string) => {
    let at = from;
    for (const part of parts) {
      expect(part.from).toBe(at);
      expect(part.to).toBeGreaterThan(part.from);
      const source = text.slice(part.from, part.to);
      if (part.kind === 'text') expect(part.text).toBe(source);
      else if ('parts' in part) {
        const [first, last] = [part.parts[0]!, part.parts.at(-1)!];
        expect(source).toContain(text.slice(first.from, last.to));
        check(part.parts, first.from, last.to, text);
      } else expect(source).toContain(part.text);
      if (part.kind === 'link') expect(part.address).toMatch(/^(https?:\/\/|mailto:)/);
      if (part.kind === 'picture') expect(part.name).toMatch(/^[^/\\:()]+$/);
      at = part.to;
    }
    expect(at).toBe(to);
  };
  fc.assert(fc.property(anyText, (text) => check(parseMarkdown(text), 0, text.length, text)));
});

test('Markdown rendered as markup is safe and has its pictures', () => {
  expect(markdownToMarkup('Press **Pay** & `a<b`\n[_"x"_](https://a.example/?a=1&b=2)')).toBe(
    '<p>Press <strong>Pay</strong> &amp; <code>a&lt;b</code></p>' +
      '<p><a href="https://a.example/?a=1&amp;b=2"><em>&quot;x&quot;</em></a></p>',
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const tags = markdownToMarkup(text).match(/<[^>]*>/g) ?? [];
      for (const tag of tags)
        expect(tag).toMatch(/^<(\/?(p|strong|em|code|a)|a href="(https?:\/\/|mailto:)[^"<>]*")>$/);
    }),
  );
  expect(pictureNames('![a](a.png) **![b](b c.gif)** `![c](c.png)` ![d](d.svg)')).toEqual(['a.png', 'b c.gif']);
});

test('text without Markdown signs is shown as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/[*_`[]/.test(text));
      expect(markdownToText(text)).toBe(text);
    }),
  );
});

test('a long hostile Markdown text is read in a short time', () => {
  for (const piece of ['**a ', '_a ', '`a ', '[a', '[a](', '![', '(**"_', '**_`[']) {
    const text = piece.repeat(20_000 / piece.length);
    expect(parseMarkdown(text).at(-1)!.to).toBe(text.length);
  }
});

test('a Markdown mark is added around the selected words, and removed again', () => {
  const toggled = (marked: string, mark: Mark) => {
    const [start, end] = [marked.indexOf('|'), marked.lastIndexOf('|')];
    const text = marked.replaceAll('|', '');
    const found = toggleMark({ text, start, end: end === start ? start : end - 1 }, mark);
    if (!found) return undefined;
    const cursor = found.start === found.end ? '|' : '';
    const inside = found.text.slice(found.start, found.end);
    return `${found.text.slice(0, found.start)}${cursor || '|'}${inside}${cursor ? '' : '|'}${found.text.slice(found.end)}`;
  };
  expect(toggled('Press |Pay|', 'bold')).toBe('Press **|Pay|**');
  expect(toggled('Press **|Pay|**', 'bold')).toBe('Press |Pay|');
  expect(toggled('Press |**Pay**|', 'bold')).toBe('Press |Pay|');
  expect(toggled('Press P|a|y now', 'italic')).toBe('Press _|Pay|_ now');
  expect(toggled('Press |Pay |now', 'code')).toBe('Press `|Pay|` now');
  // The word at the cursor, which stays where it was; between words there are marks to type between.
  expect(toggled('Press Pa|y', 'bold')).toBe('Press **Pa|y**');
  expect(toggled('Press **Pa|y**', 'bold')).toBe('Press Pa|y');
  expect(toggled('Press |', 'code')).toBe('Press `|`');
  expect(toggled('Press `|`', 'code')).toBe('Press |');
  // Line by line.
  expect(toggled('|one\n\n two|', 'bold')).toBe('**|one**\n\n **two|**');
  expect(toggled('**|one**\n\n **two|**', 'bold')).toBe('|one\n\n two|');
  // Marks in marks, but none in code.
  expect(toggled('**|Pay|**', 'italic')).toBe('_|**Pay**|_');
  expect(toggled('`a |b| c`', 'bold')).toBeUndefined();
});

test('marking a text keeps the words, and marking it twice changes nothing', () => {
  const selection = fc.tuple(anyText, fc.nat(60), fc.nat(60)).map(([text, one, other]) => {
    const [start, end] = [one, other].map((place) => Math.min(place, text.length)).sort((a, b) => a - b);
    return { text, start: start!, end: end! };
  });
  fc.assert(
    fc.property(selection, fc.constantFrom<Mark>('bold', 'italic'), (selected, mark) => {
      const once = toggleMark(selected, mark);
      if (!once || once.text.length < selected.text.length || selected.start === selected.end) return;
      expect(markdownToText(once.text)).toBe(markdownToText(selected.text));
      expect(marksAround({ ...once, end: once.start + 1 })).toContain(mark);
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z ]{1,30}$/), fc.nat(30), fc.nat(30), (words, one, other) => {
      const [start, end] = [one, other].map((place) => Math.min(place, words.length)).sort((a, b) => a - b);
      fc.pre(words.slice(start, end).trim() !== '');
      const once = toggleMark({ text: words, start: start!, end: end! }, 'bold')!;
      expect(toggleMark(once, 'bold')!.text).toBe(words);
    }),
  );
});

test('links and pictures are inserted into Markdown text', () => {
  const page = 'https://example.com/a';
  expect(insertLink({ text: 'See page', start: 4, end: 8 }, page)?.text).toBe(`See [page](${page})`);
  expect(insertLink({ text: 'See ', start: 4, end: 4 }, page)?.text).toBe(`See [${page}](${page})`);
  expect(insertLink({ text: `See [page](${page})`, start: 6, end: 6 }, 'mailto:qa@example.com')?.text).toBe(
    'See [page](mailto:qa@example.com)',
  );
  expect(insertLink({ text: 'See `a`', start: 7, end: 7 }, page)?.text).toBe(`See \`a\` [${page}](${page})`);
  expect(insertPicture({ text: '(a', start: 2, end: 2 }, 'a.png').text).toBe('(a ![a](a.png)');
  expect(insertLink({ text: 'See page', start: 4, end: 8 }, 'javascript:alert(1)')).toBeUndefined();
  expect(insertLink({ text: 'See [page]', start: 4, end: 10 }, page)).toBeUndefined();
  expect(linkAround({ text: `See [page](${page})`, start: 6, end: 6 })).toBe(page);
  expect(read(insertPicture({ text: 'See ', start: 4, end: 4 }, 'a b.png').text)).toBe('See picture(a b → a b.png)');
  expect(pictureName('shot (1)\n.png')).toBe('shot-1-.png');
});
