import IconButton from '@mui/material/IconButton';
import { Link } from 'react-router-dom';
import type { Definition } from '../../engine/definitions/definition';
import { Icon } from '../icons/Icon';

interface AboutLinksProps {
  definition: Definition;
  /** The id of a stored record. */
  id: string;
}

/** Links from a form in a dialog to the history of its record, and to its page for reading. */
export function AboutLinks({ definition, id }: AboutLinksProps) {
  const links = [
    ...(definition.history ? [{ part: 'history', label: 'History', icon: 'history' }] : []),
    ...(definition.page ? [{ part: 'page', label: 'Read', icon: 'panel' }] : []),
  ];
  return links.map(({ part, label, icon }) => (
    <IconButton key={part} component={Link} to={`/${definition.name}/${id}/${part}`} aria-label={label} title={label}>
      <Icon name={icon} />
    </IconButton>
  ));
}
