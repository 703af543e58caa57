import papa from 'papaparse';
import { unquoteFormula } from '../../../engine/exports/formulas';
import type { SheetRow } from '../../../engine/imports/join-rows';
import { maxRows, createSheetFile, UnreadableFile, type SheetFile } from './sheet-file';
import { itemAt } from '../../../engine/values/lookups';

const delimiters = [',', ';', '\t', '|', '^', '~', ':'];

/** Reads delimited text, detecting its encoding and delimiter. Throws UnreadableFile. */
export function readCsv(bytes: Buffer, knownHeadings: readonly string[] = []): SheetFile {
  const otherType = detectOtherType(bytes);
  if (otherType)
    throw new UnreadableFile(`The file is ${otherType}, not a spreadsheet. Save it as .xlsx, .xls or .csv.`);
  const text = decodeText(bytes);
  if (/[\0-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)) {
    throw new UnreadableFile('The file is not a spreadsheet. Save it as .xlsx, .xls or .csv.');
  }
  try {
    return readText(text, knownHeadings);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UnreadableFile(error.message, [], true);
  }
}

function readText(fileText: string, knownHeadings: readonly string[]): SheetFile {
  // Excel writes its delimiter into the first line.
  const separatorLine = /^sep=(.)\r?\n/i.exec(fileText);
  const text = separatorLine ? fileText.slice(separatorLine[0].length) : fileText;
  const { data, errors } = papa.parse<string[]>(text, {
    delimiter: separatorLine?.[1] ?? detectDelimiter(text),
    preview: maxRows * 2,
    skipEmptyLines: false,
  });
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) {
    const location = quotes.row === undefined ? '' : ` in row ${quotes.row + 1}`;
    throw new UnreadableFile(`The file is corrupt: a quotation mark${location} is never closed.`);
  }
  const skippedLines = separatorLine ? 1 : 0;
  return createSheetFile(
    'csv',
    data.map((cells, index): SheetRow => ({ number: index + 1 + skippedLines, cells: cells.map(unquoteFormula) })),
    [],
    { knownHeadings },
  );
}

/** Files that are often mistaken for spreadsheets, by their first bytes. */
const knownFileTypes: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'a PDF document'],
  [/^\s*(<!doctype html|<html|<table)\b/i, 'a web page'],
  [/^\s*<\?xml\b/i, 'an XML document'],
  [/^\{\\rtf/, 'a text document (RTF)'],
  [/^(\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP)/s, 'a picture'],
  [/^(#!\/|\x7fELF)/, 'a program'],
];

function detectOtherType(bytes: Buffer): string | undefined {
  const start = bytes
    .subarray(0, 200)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  return knownFileTypes.find(([pattern]) => pattern.test(start))?.[1];
}

/**
 * Decodes by the byte order mark, otherwise as UTF-16 if there are zero bytes, otherwise UTF-8, otherwise Windows-1252,
 * in which every byte is a character.
 */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const guess = detectUtf16(bytes.subarray(0, 2_000));
  if (guess) return new TextDecoder(guess).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return windows1252(bytes);
  }
}

// Node's decoder treats Windows-1252 as Latin-1 and leaves these as control characters.
const windows1252Characters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function windows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (sign) => itemAt(windows1252Characters, sign.charCodeAt(0) - 0x80));
}

/** Latin text has a zero in every second byte of UTF-16. */
function detectUtf16(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  let [evenZeros, oddZeros] = [0, 0];
  for (const [index, byte] of start.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) evenZeros++;
    else oddZeros++;
  }
  const enough = start.length * 0.3;
  if (oddZeros > enough && evenZeros === 0) return 'utf-16le';
  if (evenZeros > enough && oddZeros === 0) return 'utf-16be';
  return undefined;
}

/** Detects the delimiter that splits the first lines, outside of quotes, into the most columns, consistently. */
function detectDelimiter(text: string): string {
  const sample = text.slice(0, 100_000);
  let bestDelimiter = { delimiter: ',', score: 0 };
  for (const delimiter of delimiters) {
    const { data } = papa.parse<string[]>(sample, { delimiter, preview: 20, skipEmptyLines: 'greedy' });
    const lengths = data.map(({ length }) => length);
    // A title above the headings has no delimiter.
    const first = lengths.find((length) => length > 1) ?? 1;
    if (first < 2) continue;
    const regularity = lengths.filter((length) => length === first).length / lengths.length;
    // A rare delimiter must be consistent in all lines.
    if (delimiters.indexOf(delimiter) > 3 && regularity < 1) continue;
    const score = regularity * 1000 + Math.min(first, 99) + (delimiters.indexOf(delimiter) > 3 ? -200 : 0);
    if (score > bestDelimiter.score) bestDelimiter = { delimiter, score };
  }
  return bestDelimiter.delimiter;
}
