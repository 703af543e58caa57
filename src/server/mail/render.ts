import Mustache from 'mustache';
import { markupToText } from '../../engine/formats/markup-to-text';
import { cleanMarkup } from '../records/write/markup';
import { itemAt, propertyOf } from '../../engine/values/lookups';

/** A mail template: HTML with placeholders such as `{{name}}`. */
export interface MailTemplate {
  readonly subject: string;
  readonly content: string;
  readonly header?: string | null;
  readonly footer?: string | null;
}

/** The content of a mail. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** The values of placeholders: texts, and lists of texts or of further values for sections. */
export interface MailValues {
  readonly [name: string]: string | readonly (string | MailValues)[];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Text as HTML that shows it, in elements and in attributes. */
export const escapeHtml = (value: unknown) => String(value).replace(/[&<>"']/g, (sign) => propertyOf(entities, sign));

/** Mustache with all values escaped, even in `{{{name}}}` and `{{&name}}`: a value never becomes markup. */
class EscapingWriter extends Mustache.Writer {
  override unescapedValue(token: string[], context: Mustache.Context): string {
    const value: unknown = context.lookup(itemAt(token, 1));
    return value === undefined || value === null ? '' : escapeHtml(value);
  }
}

const writer = new EscapingWriter();
const plainWriter = new Mustache.Writer();

/** Renders a template; `{{#list}}…{{/list}}` repeats what is in it. Throws if its placeholders are malformed. */
export function renderMail(template: MailTemplate, values: MailValues): RenderedMail {
  const view = nameable(values);
  const fill = (html: string | null | undefined) =>
    html ? (cleanMarkup(writer.render(html, view, undefined, { escape: escapeHtml })) ?? '') : '';
  const subject = plainWriter.render(template.subject, view, undefined, { escape: String }).replace(/\s+/g, ' ').trim();
  const parts = [fill(template.header), fill(template.content), fill(template.footer)];
  return { subject, html: mailPage(subject, parts), text: parts.map(mailText).filter(Boolean).join('\n\n') + '\n' };
}

/** Without a prototype, so that only the values can be named. */
function nameable(values: MailValues): unknown {
  const view = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    view[name] =
      typeof value === 'string'
        ? value
        : value.map((listItem) => (typeof listItem === 'string' ? listItem : nameable(listItem)));
  }
  return view;
}

/** A part of a mail for those who read no HTML. */
export function mailText(html: string): string {
  return markupToText(html, { bullet: '- ', spaced: true, addresses: true });
}

/** The error in the placeholders of a text; undefined if there is none. */
export function templateProblem(text: string): string | undefined {
  try {
    writer.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Each block is written in the direction of its own text, and code is wrapped. Sanitized tags have no such attributes. */
function withDirections(html: string): string {
  return html
    .replace(/<(p|h[1-6]|li|blockquote|pre)>/g, '<$1 dir="auto">')
    .replaceAll('<pre ', '<pre style="white-space:pre-wrap" ');
}

function mailPage(subject: string, [header, content, footer]: readonly string[]): string {
  const frame = (html: string | undefined, style: string) =>
    html ? `<div dir="auto" style="${style}">${withDirections(html)}</div>` : '';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1c2024;background:#fff">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere;word-break:break-word">
${frame(header, 'padding-bottom:12px;border-bottom:1px solid #e0e3e8')}
${frame(content, 'padding:12px 0')}
${frame(footer, 'padding-top:12px;border-top:1px solid #e0e3e8;font-size:13px;color:#60646c')}
</div>
</body>
</html>
`;
}
