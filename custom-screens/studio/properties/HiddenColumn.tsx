import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { asField, putBack } from '../fields/showAgain';
import { Icon } from '../../../src/app/icons/Icon';
import { fetchVersions, keys } from '../calls';
import { useDraft } from '../draft';

/** A column that no field uses: to be shown again, or purged. */
export function HiddenColumn({ column }: { column: string }) {
  const { module, base, purge, setPurge, edit, go } = useDraft();
  const { data: versions } = useQuery({
    queryKey: keys.versions(module.name),
    queryFn: ({ signal }) => fetchVersions(module.name, signal),
    meta: { quiet: true },
  });
  const stored = module.hidden.find((one) => one.column === column);
  const purged = purge.includes(column);
  const show = () => {
    if (purged) setPurge(purge.filter((one) => one !== column));
    const taken = Object.hasOwn(base.source.fields, column);
    edit((source) => (taken ? putBack(source, column, base.source) : asField(source, stored!, versions ?? [])));
    go(`/fields/${column}`, 'properties');
  };
  return (
    <>
      <h3 className="studio-part">{column}</h3>
      <p className="studio-hint">
        {stored
          ? `A column of the table (${stored.type}) that no field uses. ${stored.values === 1 ? '1 record holds' : `${stored.values.toLocaleString('en-US')} records hold`} a value in it.`
          : 'This draft takes the field away. Its column and values stay in the table, and come back with the field.'}
      </p>
      {purged && (
        <p className="studio-hint" data-bad>
          With the next publishing the column and its values are removed for good.
        </p>
      )}
      <div className="studio-buttons">
        <Button variant="outlined" startIcon={<Icon name="eye" />} onClick={show}>
          Show again
        </Button>
        {purged ? (
          <Button variant="outlined" onClick={() => setPurge(purge.filter((one) => one !== column))}>
            Keep it
          </Button>
        ) : (
          <Button
            variant="outlined"
            color="error"
            startIcon={<Icon name="trash" />}
            onClick={() => setPurge([...purge, column])}
          >
            Purge…
          </Button>
        )}
      </div>
    </>
  );
}
