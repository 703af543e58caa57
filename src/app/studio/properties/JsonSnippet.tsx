import type { ReactNode } from 'react';
import { formatJson } from '../../../engine/studio/format-source';
import * as styles from './properties.module.css';

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?|true|false|null)/g;

/** A part of the definition as read-only JSON. */
export function JsonSnippet({ name, value }: { name: string; value: unknown }) {
  const text = `${JSON.stringify(name)}: ${formatJson(value)}`;
  return (
    <pre className={styles.studioCode} tabIndex={0} aria-label={`${name} as JSON`}>
      {highlight(text)}
    </pre>
  );
}

function highlight(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let position = 0;
  for (const match of text.matchAll(tokens)) {
    const [token, string, colon, literal] = match;
    parts.push(text.slice(position, match.index));
    if (literal !== undefined) parts.push(<em key={match.index}>{literal}</em>);
    else if (colon !== undefined) parts.push(<b key={match.index}>{string}</b>, colon);
    else parts.push(<i key={match.index}>{string}</i>);
    position = match.index + token.length;
  }
  return [...parts, text.slice(position)];
}
