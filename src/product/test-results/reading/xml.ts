import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { UnreadableResults } from './parsed-test';

/** What happens with the parts of an XML document as it is read. */
export interface XmlListener {
  /** An element begins; `path` are the names of those around it and its own, without prefixes. Lines count from 1. */
  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[], line: number): void;
  /** An element ends; `text` is its own text, if `wantsText` said so. */
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

/**
 * Reads an XML document piece by piece. Entities of a document type are not expanded: a document that declares some is
 * refused. Throws UnreadableResults with the line.
 */
export async function readXml(
  pieces: AsyncIterable<string>,
  listener: XmlListener,
  afterPiece: () => Promise<void>,
): Promise<void> {
  const parser = new SaxesParser({ xmlns: false });
  const path: string[] = [];
  const texts: (string | undefined)[] = [];
  const most = listener.maxText ?? maxText;
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
    texts.push(listener.wantsText(path, attributes) ? '' : undefined);
    listener.open(path.at(-1)!, attributes, path, parser.line);
  });
  const add = (text: string) => {
    const last = texts.length - 1;
    const known = texts[last];
    if (known !== undefined && known.length < most) texts[last] = known + text.slice(0, most);
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    listener.close(path.at(-1)!, texts.pop() ?? '', path);
    path.pop();
  });
  for await (const piece of pieces) {
    parser.write(piece);
    await afterPiece();
  }
  parser.close();
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);
