import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { Definition } from '../../engine/definitions/definition';
import { usePage } from '../layout/page';
import { lazyDetail } from './lazyComponent';
import * as styles from './states.module.css';

// Its place is kept.
const Art = lazyDetail(
  () => import('./EmptyPictureArt'),
  () => <svg width="158" height="110" aria-hidden="true" />,
);

interface MissingRecordProps {
  definition: Definition;
  /** Where its records are listed. Default: the list of the definition. */
  list?: string;
}

/** The title of a screen whose record is missing. */
export const missingTitle = ({ labels }: Definition) => `${labels.one} not found`;

/** Shown in place of a record that does not exist, or that the user may not open: its address, a search and a way back. */
export function MissingRecord({ definition, list = `/${definition.name}` }: MissingRecordProps) {
  const { labels } = definition;
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const plural = labels.many.toLowerCase();
  return (
    <div className={styles.state} role="alert">
      <Art name="missing" />
      <h2>{labels.one} not found, or you have no access</h2>
      <p>
        There is nothing for you at <code>{pathname}</code>. It may have been deleted, or it belongs to what you cannot
        see.
      </p>
      <form
        role="search"
        className={styles.stateActions}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate(`/${definition.name}?${new URLSearchParams({ q: text.trim() })}`);
        }}
      >
        <TextField
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder={`Search ${plural}`}
          slotProps={{ htmlInput: { 'aria-label': `Search ${plural}`, type: 'search' } }}
        />
        <Button type="submit" variant="contained" disabled={text.trim() === ''}>
          Search
        </Button>
      </form>
      <Button variant="outlined" component={Link} to={list}>
        All {plural}
      </Button>
    </div>
  );
}

/** A screen whose record is missing. */
export function MissingRecordScreen({ definition }: { definition: Definition }) {
  usePage({ title: missingTitle(definition), back: { to: `/${definition.name}`, label: definition.labels.many } });
  return <MissingRecord definition={definition} />;
}
