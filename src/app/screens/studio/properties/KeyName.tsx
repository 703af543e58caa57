import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { systemFields } from '../../../../engine/definitions/system-fields';
import { Icon } from '../../../icons/Icon';
import { useDraftPart, useDraftStore } from '../draft';
import { renameField } from '../../../../engine/studio/fields';
import { fieldNameProblem } from '../../../../engine/studio/field-names';
import { LabelledInput } from './LabelledInput';
import * as styles from './properties.module.css';

/**
 * A field's key. It is locked once it is published, because the API and other modules refer to it. After unlocking, a
 * change renames the column, which keeps its values.
 */
export function KeyName({ name }: { name: string }) {
  const store = useDraftStore();
  const { published, isSystem, was } = useDraftPart(({ source, base }) => ({
    published: Object.hasOwn(base.source.fields, name),
    isSystem: Object.hasOwn(systemFields(source), name),
    was: source.fields[name]?.formerName,
  }));
  const [unlocked, setUnlocked] = useState(false);
  const [typed, setTyped] = useState(name);
  const locked = isSystem || (published && !unlocked);
  const fault = typed === name ? undefined : fieldNameProblem(store.get().source, typed);
  const take = () => {
    if (typed === name || fault) return setTyped(name);
    const { base, edit, go } = store.get();
    edit((now) => renameField(now, name, typed, base.source));
    go(`/fields/${typed}`);
  };
  const hint = unlocked
    ? 'The column is renamed and keeps its values (“formerName” remembers the former key). Programs that use the API must use the new key.'
    : was && `Formerly ${was}: its column is renamed.`;
  return (
    <LabelledInput label="Key" error={locked ? undefined : fault} note={hint}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          readOnly={locked}
          className={styles.studioKeyName}
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
    </LabelledInput>
  );
}
