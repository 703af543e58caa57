import IconButton from '@mui/material/IconButton';
import { Icon } from '../../../src/app/icons/Icon';
import { useDraft } from '../draft';

/** The fields of the module, and its other parts. */
export function FieldsPane() {
  const { source, place, go } = useDraft();
  return (
    <section className="studio-pane studio-fields" aria-label="Fields">
      <header className="studio-head">
        <h2>
          Fields <small className="num">{Object.keys(source.fields).length}</small>
        </h2>
        <span className="studio-grow" />
        <IconButton size="small" aria-label="Add field" title="Add field">
          <Icon name="plus" />
        </IconButton>
      </header>
      <ul className="studio-list">
        {Object.entries(source.fields).map(([name, field]) => (
          <li key={name}>
            <button
              type="button"
              className="studio-entry"
              aria-current={place === `/fields/${name}` || undefined}
              onClick={() => go(`/fields/${name}`)}
            >
              <Icon name="text" />
              <b>{name}</b>
              <small>{field.type ?? 'text'}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
