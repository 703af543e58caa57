import { useState } from 'react';
import { CommandPalette } from '../../commands/CommandPalette';
import { matchEntries } from '../../commands/palette';

interface MovePaletteProps {
  /** The record that is moved, as users know it. */
  title: string;
  /** The columns to which it can be moved. */
  moves: readonly { readonly id: string; readonly label: string; readonly run: () => void }[];
  onClose: () => void;
}

/** The columns to which a card can be moved, found by their names. */
export function MovePalette({ title, moves, onClose }: MovePaletteProps) {
  const [text, setText] = useState('');
  const entries = matchEntries(
    moves.map((choice) => ({ ...choice, icon: 'arrow-right' })),
    text,
  );
  return (
    <CommandPalette
      text={text}
      onText={setText}
      sections={entries.length > 0 ? [{ label: 'Move to', entries }] : []}
      problem={moves.length === 0 ? 'It cannot be moved to another column.' : undefined}
      scope={{ label: title, placeholder: 'Find a column', onLeave: onClose }}
      onClose={onClose}
    />
  );
}
