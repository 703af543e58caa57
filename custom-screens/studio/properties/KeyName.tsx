import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { systemFields } from '../../../src/engine/definitions/system-fields';
import { Icon } from '../../../src/app/icons/Icon';
import { useDraft } from '../draft';
import { renameField } from '../lenses';
import { Labelled } from './Labelled';

const fitting = /^[a-z][A-Za-z0-9_]{0,62}$/;

/**
 * A field's key. Once it is published it is locked, as the API and other modules name it; unlocked, the column is
 * renamed and keeps its values.
 */
export function KeyName({ name }: { name: string }) {
  const { source, base, edit, go } = useDraft();
  const published = Object.hasOwn(base.source.fields, name);
  const isSystem = Object.hasOwn(systemFields(source), name);
  const [unlocked, setUnlocked] = useState(false);
  const [typed, setTyped] = useState(name);
  const locked = isSystem || (published && !unlocked);
  const fault = faultOf(typed, name, Object.keys(source.fields));
  const take = () => {
    if (typed === name || fault) return setTyped(name);
    edit((now) => renameField(now, name, typed, published));
    go(`/fields/${typed}`);
  };
  const was = source.fields[name]?.was;
  const hint = unlocked
    ? 'The column is renamed and keeps its values (“was” remembers the former key). Programs that use the API have to follow.'
    : was && `Was ${was}: its column is renamed.`;
  return (
    <Labelled label="Key" error={locked ? undefined : fault} hint={hint}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          readOnly={locked}
          className="studio-name"
          error={!locked && fault !== undefined}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
          }}
          slotProps={{ input: { spellCheck: false, 'aria-describedby': describedBy } }}
          endAdornment={
            locked &&
            (isSystem ? (
              <Icon name="lock" />
            ) : (
              <IconButton
                size="small"
                edge="end"
                aria-label="Rename the key"
                title="Rename the key"
                onClick={() => setUnlocked(true)}
              >
                <Icon name="lock" />
              </IconButton>
            ))
          }
        />
      )}
    </Labelled>
  );
}

function faultOf(typed: string, name: string, taken: readonly string[]): string | undefined {
  if (typed === name) return undefined;
  if (!fitting.test(typed)) return 'Letters, digits and _, beginning with a small letter.';
  return taken.includes(typed) ? 'Another field is called that.' : undefined;
}
