import type { ReactNode } from 'react';
import { parseMarkdown, type MarkdownPart } from '../../../engine/formats/markdown';
import { Icon } from '../../icons/Icon';
import * as styles from './text.module.css';

interface MarkdownTextProps {
  text: string;
  /** The pictures that it can show, by their names. */
  pictures?: readonly { readonly name: string; readonly url?: string }[] | undefined;
  /** Within a button: links are words, and pictures their names. */
  inert?: boolean;
}

/**
 * Text with its marks: bold, italic, code, links and pictures. It is made of elements, never of markup, links lead to http,
 * https and mailto only, and pictures are files of the record.
 *
 * @example <MarkdownText text={step.action} pictures={filesIn(record.attachments)} />
 */
export function MarkdownText({ text, pictures = [], inert = false }: MarkdownTextProps) {
  const show = (part: MarkdownPart, key: number): ReactNode => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'code':
        return (
          <code key={key} className={styles.markedCode}>
            {part.text}
          </code>
        );
      case 'bold':
        return <strong key={key}>{part.parts.map(show)}</strong>;
      case 'italic':
        return <em key={key}>{part.parts.map(show)}</em>;
      case 'link':
        return inert ? (
          <span key={key} className={styles.markedLink}>
            {part.parts.map(show)}
          </span>
        ) : (
          <a
            key={key}
            className={styles.markedLink}
            href={part.address}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            {part.parts.map(show)}
          </a>
        );
      case 'picture': {
        const { name, text: words } = part;
        const url = pictures.find((picture) => picture.name === name)?.url;
        if (url !== undefined && !inert)
          return (
            <a key={key} className={styles.markedPicture} href={url} target="_blank" rel="noopener noreferrer">
              <img src={url} alt={words || name} loading="lazy" />
            </a>
          );
        return (
          <span key={key} className={styles.markedFile}>
            <Icon name="image" size={14} label="Picture" />
            {words || name}
          </span>
        );
      }
    }
  };
  return <span className={styles.markedText}>{parseMarkdown(text).map(show)}</span>;
}
