import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { cleanXml } from '../../../engine/formats/clean-text';
import { omissionMark, UnreadableResults } from './parsed-test';
import { lastOf } from '../../../engine/values/lookups';

/** Receives the parts of an XML document while it is read. */
export interface XmlListener {
  /** An element begins; `path` are the names of those around it and its own, without prefixes. Lines count from 1. */
  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[], line: number): void;
  /** An element ends; `text` is its own text, if `wantsText` said so. A longer one has a mark where it was cut. */
  close(name: string, text: string, path: readonly string[]): void;
  /** Whether the text of an element is wanted; other text is not kept. */
  wantsText(path: readonly string[], attributes: Readonly<Record<string, string>>): boolean;
  /** The most characters that are kept of an element's text, if they are not those of a log. */
  readonly maxText?: number;
}

/** Results of tests are not nested deeper, not even with suites in suites. */
const maxDepth = 200;
/** Of one element, in characters: what the log of a test can be cut to. */
const maxText = 200_000;
/** How much of that is its end. */
const maxEnd = 25_000;

/** The text of an element that is being read: its beginning, and what follows as far as it is kept. */
interface ElementText {
  start: string;
  end: string;
  /** How many characters between both were left out. */
  omitted: number;
}

/**
 * Reads an XML document piece by piece, without characters that XML forbids. Entities of a document type are not expanded: a document that declares some is
 * refused. Throws UnreadableResults with the line.
 */
export async function readXml(
  pieces: AsyncIterable<string>,
  listener: XmlListener,
  afterPiece: () => Promise<void>,
): Promise<void> {
  const parser = new SaxesParser({ xmlns: false });
  const path: string[] = [];
  const texts: (ElementText | undefined)[] = [];
  const maxLength = listener.maxText ?? maxText;
  const refuse = (message: string) => {
    throw new UnreadableResults(message, parser.line);
  };
  parser.on('error', (error) => refuse(`This is not well-formed XML: ${error.message.replace(/^\d+:\d+: /, '')}`));
  parser.on('doctype', (text) => {
    if (/<!ENTITY/i.test(text)) refuse('The document declares entities, which are not read. Leave them out.');
  });
  parser.on('opentag', ({ name, attributes, isSelfClosing: _ }: SaxesTagPlain) => {
    path.push(localName(name));
    if (path.length > maxDepth) refuse(`The elements are nested deeper than ${maxDepth} levels.`);
    texts.push(listener.wantsText(path, attributes) ? { start: '', end: '', omitted: 0 } : undefined);
    listener.open(lastOf(path), attributes, path, parser.line);
  });
  const add = (text: string) => {
    const currentText = texts.at(-1);
    if (!currentText) return;
    const free = Math.max(0, maxLength - currentText.start.length);
    currentText.start += text.slice(0, free);
    currentText.end += text.slice(free);
    if (currentText.end.length > 2 * maxEnd) {
      currentText.omitted += currentText.end.length - maxEnd;
      currentText.end = currentText.end.slice(-maxEnd);
    }
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    listener.close(lastOf(path), wholeText(texts.pop()), path);
    path.pop();
  });
  for await (const piece of cleanXml(pieces)) {
    parser.write(piece);
    await afterPiece();
  }
  parser.close();
}

function wholeText(text: ElementText | undefined): string {
  if (!text) return '';
  const { start, end, omitted } = text;
  return omitted === 0 ? start + end : `${start}${omissionMark(omitted)}${end}`;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);
