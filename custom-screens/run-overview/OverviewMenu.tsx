import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { Link } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { shareLinkOf } from '../../src/engine/check/check-shares';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { copyText, shareUrl } from '../../src/app/fields/shareLink/shareUrl';
import { Icon } from '../../src/app/icons/Icon';
import { useDownload } from '../../src/app/list/export/useDownload';
import type { OverviewRun } from './overviewApi';

/** The report of a run, its tests as a spreadsheet, and where it is changed. */
export function OverviewMenu({ run, isNarrow }: { run: OverviewRun; isNarrow: boolean }) {
  const { registry, actor } = useDefinitions();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const notify = useNotify();
  const { progress, start } = useDownload();
  const close = () => setAnchor(null);
  const link = shareLinkOf(registry.getOrThrow('test-runs'));
  const address = link ? shareUrl(link, run.report_link) : '';
  const exportPath = registry.getOrThrow('run-entries').export?.path;
  const mayAdd = run.state !== 'closed' && run.source === 'people' && isGranted(actor, 'run-entries', 'create');
  const copy = async () => {
    close();
    const isCopied = await copyText(address);
    notify(
      isCopied
        ? 'The public link to the report was copied. Revoke it in the form of the run.'
        : `Copy this link: ${address}`,
      { type: 'info', autoHideDuration: isCopied ? undefined : null },
    );
  };
  const download = () => {
    close();
    const query = new URLSearchParams({ filter: JSON.stringify({ run_id: run.id }), columns: '*', format: 'xlsx' });
    start(`/${exportPath}?${query}`);
  };
  return (
    <>
      {!isNarrow && (
        <Button
          variant="outlined"
          size="large"
          startIcon={<Icon name="file" />}
          component={Link}
          to={`/test-runs/${run.id}/report`}
        >
          Report
        </Button>
      )}
      <IconButton
        aria-label="More actions"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="more" size={18} />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        {isNarrow && (
          <MenuItem component={Link} to={`/test-runs/${run.id}/report`} onClick={close}>
            <Icon name="file" />
            Report
          </MenuItem>
        )}
        {address !== '' && (
          <MenuItem onClick={() => void copy()}>
            <Icon name="link" />
            Copy the public link
          </MenuItem>
        )}
        {exportPath !== undefined && isGranted(actor, 'run-entries', 'list') && (
          <MenuItem onClick={download} disabled={progress !== null}>
            <Icon name="download" />
            Download Excel
          </MenuItem>
        )}
        {mayAdd && (
          <MenuItem component={Link} to={`/test-runs/${run.id}/add-tests`} onClick={close}>
            <Icon name="plus" />
            Add Tests
          </MenuItem>
        )}
        {isGranted(actor, 'test-runs', 'edit') && (
          <MenuItem component={Link} to={`/test-runs/${run.id}`} onClick={close}>
            <Icon name="pencil" />
            Edit
          </MenuItem>
        )}
        <MenuItem component={Link} to={`/test-runs/${run.id}/history`} onClick={close}>
          <Icon name="history" />
          History
        </MenuItem>
      </Menu>
    </>
  );
}
