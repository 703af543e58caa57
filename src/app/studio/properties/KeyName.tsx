import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { systemFields } from '../../../engine/normalise/system-fields';
import { Icon } from '../../icons/Icon';
import { useDraftPart, useDraftStore } from '../draft';
import { renameField } from '../../../engine/studio/fields';
import { fieldNameProblem } from '../../../engine/studio/field-names';
import { NameInput } from './NameInput';
import * as styles from './properties.module.css';

/**
 * A field's key. It is locked once it is published, because the API and other modules refer to it. After unlocking, a
 * change renames the column, which keeps its values.
 */
export function KeyName({ name }: { name: string }) {
  const store = useDraftStore();
  const {
    published: isPublished,
    isSystem,
    was: formerName,
  } = useDraftPart(({ source, base }) => ({
    published: Object.hasOwn(base.source.fields, name),
    isSystem: Object.hasOwn(systemFields(source), name),
    was: source.fields[name]?.formerName,
  }));
  const [unlocked, setUnlocked] = useState(false);
  const isLocked = isSystem || (isPublished && !unlocked);
  const rename = (next: string) => {
    const { base, edit, go } = store.get();
    edit((now) => renameField(now, name, next, base.source));
    go(`/fields/${next}`);
  };
  const hint = unlocked
    ? 'The column is renamed and keeps its values (“formerName” remembers the former key). Programs that use the API must use the new key.'
    : formerName && `Formerly ${formerName}: its column is renamed.`;
  return (
    <NameInput
      label="Key"
      note={hint}
      name={name}
      problemOf={(next) => fieldNameProblem(store.get().source, next)}
      onRename={rename}
      readOnly={isLocked}
      className={styles.studioKeyName}
      endAdornment={
        isLocked &&
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
  );
}
