import { useRef, useState } from 'react';
import type { FieldOf } from '../../../engine/definitions/definition';
import { MarkdownTools, type MarkdownDialogs } from '../markdown/MarkdownTools';
import { recordPictures } from '../markdown/recordPictures';
import { useMarkdownEdits } from '../markdown/useMarkdownEdits';
import { focusToolbar, useRovingFocus } from '../markdown/useRovingFocus';
import { openSnippets } from '../snippets/SnippetButton';
import { snippetSubject } from '../snippets/subject';
import type { InputProps } from '../fieldType';
import { TextBox } from '../TextBox';
import { linesOf } from './lines';
import * as styles from '../markdown/tools.module.css';

/**
 * Multi-line text with marks, and a toolbar for them: one stop of Tab before the text, to which Alt+F10 leads, and from
 * which Escape leads back.
 */
export function MarkdownBox({ value, onChange, recordInForm, ...props }: InputProps<FieldOf<'textarea'>>) {
  const { id, field, readOnly } = props;
  const pictures = recordPictures(recordInForm);
  const frame = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const dialogs = useRef<MarkdownDialogs>(null);
  const [announcement, setAnnouncement] = useState('');
  const rove = useRovingFocus(bar);
  const box = () => frame.current?.querySelector<HTMLTextAreaElement>(`[id="${id}"]`) ?? null;
  const edits = useMarkdownEdits({ target: box, pictures, onSpoken: setAnnouncement });
  return (
    <div
      ref={frame}
      className={styles.markFrame}
      data-picture={!readOnly && pictures?.add ? '' : undefined}
      onKeyDown={(event) => {
        if (readOnly || edits.onKeyDown(event, () => dialogs.current?.openLink()) || openSnippets(event)) return;
        if (!event.altKey || event.key !== 'F10') return;
        event.preventDefault();
        focusToolbar(frame.current);
      }}
      onPaste={readOnly ? undefined : edits.onPaste}
    >
      {!readOnly && (
        <div
          ref={bar}
          className={styles.markBar}
          role="toolbar"
          aria-label={`Format ${field.label}`}
          onKeyDown={(event) => {
            rove(event);
            if (event.key !== 'Escape' || !bar.current?.contains(event.target as Node)) return;
            event.stopPropagation();
            edits.focus();
          }}
        >
          <MarkdownTools
            ref={dialogs}
            edits={edits}
            pictures={pictures}
            subject={snippetSubject({ ...props, recordInForm })}
            isDisabled={false}
          />
        </div>
      )}
      <TextBox
        {...props}
        lines={linesOf(field)}
        text={typeof value === 'string' ? value : ''}
        onText={(text) => onChange(text === '' ? undefined : text)}
      />
      <p className="unseen" role="status">
        {announcement}
      </p>
    </div>
  );
}
