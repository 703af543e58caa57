import type { Definition } from '../../engine/definitions/definition';
import { writeFor } from '../../engine/formats/personal';
import { recordTitleOf } from '../../engine/lists/titles';
import { printRecord } from '../../engine/print/print-record';
import { assertGranted } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { loadReaders } from '../accounts/profile/readers-formats';
import { BadRequest, NotFound } from '../errors/errors';
import { escapeHtml } from '../mail/render';
import { cleanDocument } from '../records/write/markup';
import { readRecord } from '../records/read/read';

/** Cleaning takes time that grows with the length. */
const maxLength = 1_000_000;

/** Nothing is loaded or run in the page, wherever it is opened. */
export const printPolicy = "default-src 'none';style-src 'unsafe-inline';frame-ancestors 'none';sandbox";

/**
 * The page of a record to print, as its reader reads dates and numbers. Throws Forbidden and NotFound as reading the
 * record does, NotFound for a definition without `print`, and BadRequest for a page that is too long.
 */
export async function printedPage(context: RequestContext, definition: Definition, id: number): Promise<string> {
  assertGranted(context, definition, 'view');
  const { print } = definition;
  if (!print) throw new NotFound();
  const record = await readRecord({ context, definition }, id);
  const { actor, program, knownZone } = context;
  const reader = (await loadReaders(program.database.kysely, [actor.id]))(actor.id);
  const zoned = knownZone === undefined ? reader : { ...reader, timeZone: knownZone };
  const markup = writeFor(zoned, () => printRecord(print.template, definition, record, context.registry));
  if (markup.length > maxLength)
    throw new BadRequest(
      `The page would be too long to print (${markup.length} characters of ${maxLength}). Shorten the texts of the record.`,
    );
  const title = `${definition.labels.one}: ${recordTitleOf(definition, record)}`;
  return pageOf(title, print.paper, cleanDocument(markup));
}

function pageOf(title: string, paper: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${styles(paper)}</style>
</head>
<body><main>${body}</main></body>
</html>
`;
}

function styles(paper: string): string {
  const width = paper === 'Letter' ? '216mm' : '210mm';
  return `
@page { size: ${paper}; margin: 18mm 16mm; }
* { box-sizing: border-box; }
html { color-scheme: light; }
body { margin: 0; background: #fff; color: #111; font: 10.5pt/1.45 'Inter', 'Helvetica Neue', Arial, sans-serif; }
main { overflow-wrap: anywhere; }
h1 { font-size: 18pt; line-height: 1.2; margin: 0 0 6mm; }
h2 { font-size: 13pt; margin: 8mm 0 3mm; }
h3 { font-size: 11pt; margin: 6mm 0 2mm; }
h1, h2, h3, h4, h5, h6 { break-after: avoid; }
p, ul, ol, table, blockquote, pre { margin: 0 0 4mm; }
a { color: inherit; }
pre, code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 9.5pt; white-space: pre-wrap; }
hr { border: 0; border-top: 0.3mm solid #999; margin: 6mm 0; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: 1.6mm 2mm; border-bottom: 0.2mm solid #bbb; text-align: left; vertical-align: top; }
th { border-bottom-color: #444; font-weight: 600; }
table.columns th, table.columns td { border: 0; padding-left: 0; }
.right { text-align: right; }
.center { text-align: center; }
.small { font-size: 8.5pt; color: #444; }
.break { break-before: page; }
@media screen {
  html { background: #e9e9ec; }
  body { background: none; }
  main { width: ${width}; max-width: 100%; min-height: 100vh; margin: 0 auto; padding: 18mm 16mm; background: #fff; }
}
`;
}
