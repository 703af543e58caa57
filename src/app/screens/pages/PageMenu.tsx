import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useGetList } from 'react-admin';
import { Link, useNavigate } from 'react-router-dom';
import { isAllowedOnRecord, isGranted } from '../../../engine/access/access-decision';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { useOpenDialog } from '../../dialogs/openDialog';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import type { StoredPage } from './storedPage';
import type { PageChanges } from './usePageChanges';

const firstPages = { page: 1, perPage: 60 };
const audienceLabels = {
  me: 'my home page',
  role: 'home page of the role',
  everyone: 'home page of everyone',
} as const;

/** The actions of a page, and the other pages that one may open. */
export function PageMenu({ page, changes }: { page: StoredPage; changes: PageChanges }) {
  const { registry, actor } = useDefinitions();
  const definition = registry.get('pages');
  const evaluationContext = useEvaluationContext(definition);
  const navigate = useNavigate();
  const openDialog = useOpenDialog();
  const menu = usePopup('menu');
  const { data: pages = [] } = useGetList<StoredPage>(
    'pages',
    { pagination: firstPages, sort: { field: 'name', order: 'ASC' }, filter: {}, meta: { fields: ['name'] } },
    { enabled: menu.anchor !== null, meta: { quiet: true } },
  );
  if (!definition) return null;
  const isPermitted = (action: 'edit' | 'delete') =>
    isAllowedOnRecord(actor, definition, action, page, evaluationContext);
  const mayCreate = isGranted(actor, 'pages', 'create');
  const create = (preset: ResourceRecord) =>
    openDialog({
      kind: 'form',
      definition,
      mode: 'create',
      preset,
      fixedFields: ['tiles'],
      onSaved: (record) => void navigate(`/pages/${String(record.id)}/open`),
    });
  const item = (icon: string, label: string, run: () => void, checked?: boolean) => (
    <MenuItem
      key={label}
      {...(checked !== undefined && { role: 'menuitemcheckbox', 'aria-checked': checked })}
      onClick={menu.and(run)}
    >
      <Icon name={icon} />
      <span>{label}</span>
      {checked && <Icon name="check" />}
    </MenuItem>
  );
  const tiles = (page.tiles ?? []).filter(({ kind }) => kind !== 'hidden');
  const otherPages = pages.filter(({ id }) => id !== page.id);
  return (
    <>
      <IconButton aria-label="Pages" title="Pages" {...menu.button}>
        <Icon name="more" />
      </IconButton>
      <Menu {...menu.popup}>
        {isPermitted('edit') && [
          item('home', `Use as ${audienceLabels[page.audience]}`, () => changes.setHome(!page.is_home), page.is_home),
          item('pencil', 'Rename or share…', () =>
            openDialog({ kind: 'form', definition, mode: 'edit', id: String(page.id) }),
          ),
        ]}
        {mayCreate && [
          item('copy', 'Save as new page…', () => create({ name: `${page.name} (copy)`.slice(0, 60), tiles })),
          item('plus', 'New page…', () => create({ tiles: [] })),
        ]}
        {isPermitted('delete') && item('trash', 'Delete page', changes.deletePage)}
        {otherPages.length > 0 && <Divider component="li" aria-hidden="true" />}
        {otherPages.map(({ id, name }) => (
          <MenuItem key={id} component={Link} to={`/pages/${id}/open`} onClick={menu.close}>
            <Icon name="template" />
            <span>{name}</span>
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
