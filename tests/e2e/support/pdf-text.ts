import { inflateSync } from 'node:zlib';

/**
 * The text of each page of a PDF that Chromium wrote, without spaces, since where they are depends on how a line is set.
 * It reads what Chromium writes, not every PDF: one object after another, texts as glyphs with a table of their letters.
 */
export function pdfPages(pdf: Buffer): string[] {
  const objects = readObjects(pdf.toString('latin1'));
  const letters = new Map<string, ReadonlyMap<string, string>>();
  for (const [id, { head }] of objects) {
    const table = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1];
    if (table) letters.set(id, readLetters(objects.get(table)!.content));
  }
  const pages = [...objects.values()].filter(({ head }) => /\/Type\s*\/Page\b/.test(head));
  return pages.map(({ head }) => {
    const content = /\/Contents (\d+) 0 R/.exec(head)![1]!;
    const fonts = new Map([...head.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [name!, letters.get(id!)]));
    return readTexts(objects.get(content)!.content, fonts).replaceAll(/\s/g, '');
  });
}

interface PdfObject {
  readonly head: string;
  readonly content: string;
}

function readObjects(text: string): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  for (const [, id, body] of text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const at = body!.indexOf('stream\n');
    const head = at < 0 ? body! : body!.slice(0, at);
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const stream = at < 0 ? '' : body!.slice(at + 7, at + 7 + length);
    const isPacked = head.includes('/FlateDecode') && !head.includes('/Image');
    const content = isPacked ? inflateSync(Buffer.from(stream, 'latin1')).toString('latin1') : stream;
    objects.set(id!, { head, content });
  }
  return objects;
}

/** Glyph → letters, of the table of a font. */
function readLetters(table: string): Map<string, string> {
  const letters = new Map<string, string>();
  const textOf = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le');
  for (const [, part] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph, hex] of part!.matchAll(/<(\w+)> <(\w+)>/g)) letters.set(glyph!.toUpperCase(), textOf(hex!));
  for (const [, part] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from, to, hex] of part!.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g))
      for (let glyph = parseInt(from!, 16); glyph <= parseInt(to!, 16); glyph++) {
        const code = parseInt(hex!, 16) + glyph - parseInt(from!, 16);
        letters.set(glyph.toString(16).padStart(from!.length, '0').toUpperCase(), String.fromCharCode(code));
      }
  return letters;
}

function readTexts(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string> | undefined>): string {
  let font: ReadonlyMap<string, string> | undefined;
  let text = '';
  for (const [, name, glyphs] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([\dA-Fa-f]+)>/g)) {
    if (name) font = fonts.get(name);
    else {
      // Fonts with few glyphs name them by one byte, others by two.
      const digits = font?.keys().next().value?.length ?? 4;
      for (let at = 0; at < glyphs!.length; at += digits)
        text += font?.get(glyphs!.slice(at, at + digits).toUpperCase()) ?? '';
    }
  }
  return text;
}
