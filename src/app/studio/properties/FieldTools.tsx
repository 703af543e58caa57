import IconButton from '@mui/material/IconButton';
import { useNotify } from 'react-admin';
import { removeField } from '../../../engine/studio/fields';
import { writtenTypeOf } from '../../../engine/field-types';
import { Icon } from '../../icons/Icon';
import { useDraftStore } from '../draft';
import { hasStoredData, completeField } from '../fields/entries';
import { isSameSource } from '../draft/draftHistory';
import { restoreField } from '../fields/restoreField';
import { UndoToast } from './UndoToast';
import * as styles from '../studio.module.css';

/** The selected field's key, and the button that removes the field. */
export function FieldTools({ name }: { name: string }) {
  const store = useDraftStore();
  const notify = useNotify();
  const remove = () => {
    const { source, base, edit, go } = store.get();
    const sourceBefore = source;
    const names = Object.keys(source.fields);
    const next = names[names.indexOf(name) + 1] ?? names[names.indexOf(name) - 1];
    const { source: left, removedFrom } = removeField(source, name);
    edit((now) => (now === sourceBefore ? left : removeField(now, name).source));
    go(next ? `/fields/${next}` : '/labels');
    const field = completeField(source, name);
    const keepsData = name in base.source.fields && hasStoredData(field);
    const dataText = writtenTypeOf(field).holds === 'records' ? 'links' : 'column and values';
    const removalText = removedFrom.length > 0 ? ` It was also removed from ${joinNames(removedFrom)}.` : '';
    const text = `${name} was removed.${keepsData ? ` Its ${dataText} stay.` : ''}${removalText}`;
    const back = () => {
      edit((now) => (isSameSource(now, left) ? sourceBefore : restoreField(now, name, sourceBefore)));
      go(`/fields/${name}`);
    };
    notify(<UndoToast kind="info" text={text} onUndo={back} />, { type: 'info', autoHideDuration: 8000 });
  };
  return (
    <>
      <code className={styles.studioKey}>{name}</code>
      <IconButton size="small" aria-label="Remove field" title="Remove field" onClick={remove}>
        <Icon name="trash" />
      </IconButton>
    </>
  );
}

const joinNames = (words: readonly string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words[0];
