import { useRef, useState } from 'react';
import * as styles from './tree.module.css';

interface TitleInputProps {
  label: string;
  text: string;
  maxLength?: number;
  onSave: (title: string) => void;
  onCancel: () => void;
}

/** Writes a title in its line: Enter saves, Escape does not; leaving it saves what was changed. */
export function TitleInput({ label, text, maxLength, onSave, onCancel }: TitleInputProps) {
  const [title, setTitle] = useState(text);
  const isDone = useRef(false);
  const end = (shouldSave: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    const newTitle = title.trim();
    if (shouldSave && newTitle !== '' && newTitle !== text) onSave(newTitle);
    else onCancel();
  };
  return (
    <input
      className={styles.treeInput}
      aria-label={label}
      value={title}
      maxLength={maxLength}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') end(true);
        else if (event.key === 'Escape') end(false);
      }}
    />
  );
}
