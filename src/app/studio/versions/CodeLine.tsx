const tokens = /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** A line of JSON with syntax highlighting. */
export function CodeLine({ text }: { text: string }) {
  const parts: { text: string; kind?: 'key' | 'text' | 'value' }[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: match[0], kind: !match[1] ? 'value' : match[2] === undefined ? 'text' : 'key' });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts.map((part, index) => (
    <span key={index} data-code={part.kind}>
      {part.text}
    </span>
  ));
}
