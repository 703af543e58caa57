import IconButton from '@mui/material/IconButton';
import { useNotify } from 'react-admin';
import { removeField } from '../lenses';
import { Icon } from '../../../src/app/icons/Icon';
import { useDraft } from '../draft';
import { isStored, wholeField } from '../fields/entries';
import { UndoToast } from './UndoToast';

/** The chosen field's key, and the way to take it away. */
export function FieldTools({ name }: { name: string }) {
  const { source, base, edit, go } = useDraft();
  const notify = useNotify();
  const remove = () => {
    const before = source;
    const names = Object.keys(source.fields);
    const next = names[names.indexOf(name) + 1] ?? names[names.indexOf(name) - 1];
    edit((now) => removeField(now, name));
    go(next ? `/fields/${next}` : '/labels');
    const kept = name in base.source.fields && isStored(wholeField(source, name));
    const text = kept ? `${name} is taken away. Its column and values stay.` : `${name} is taken away.`;
    const back = () => {
      edit(() => before);
      go(`/fields/${name}`);
    };
    notify(<UndoToast text={text} onUndo={back} />, { type: 'info', autoHideDuration: 8000 });
  };
  return (
    <>
      <code className="studio-key">{name}</code>
      <IconButton size="small" aria-label="Remove field" title="Remove field" onClick={remove}>
        <Icon name="trash" />
      </IconButton>
    </>
  );
}
