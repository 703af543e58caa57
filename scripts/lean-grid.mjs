// Leaves out of the data grid what no list shows: lists filter, choose columns, page and download by parts of their own,
// and their cells are not edited. The grid imports all of these as defaults of its slots and of its column types, so that
// no bundler can see that they are never shown; together they are a quarter of the grid. The first list loads 414 kB of
// scripts (gzip) with this plugin, and 465 kB without it.
import { basename } from 'node:path';

const grid = '/node_modules/@mui/x-data-grid/';

/** Parts of the grid, by the names of their files, that nothing needs which `Grid.tsx` switches on. */
const unused = [
  // Its own filters.
  'GridFilterPanel',
  'GridFilterPanelBase',
  'GridFilterForm',
  'GridFilterInputBoolean',
  'GridFilterInputDate',
  'GridFilterInputMultipleSingleSelect',
  'GridFilterInputMultipleValue',
  'GridFilterInputSingleSelect',
  'GridFilterInputValue',
  // Its own choice of columns.
  'GridColumnsManagement',
  'GridColumnsPanel',
  // Its toolbar.
  'GridToolbar',
  'GridToolbarQuickFilter',
  'GridToolbarExport',
  'GridToolbarExportContainer',
  'QuickFilter',
  'QuickFilterControl',
  'QuickFilterClear',
  'QuickFilterTrigger',
  'FilterPanelTrigger',
  'ColumnsPanelTrigger',
  'ExportCsv',
  'ExportPrint',
  // Its footer.
  'GridFooter',
  'GridPagination',
  'GridRowCount',
  'GridSelectedRowCount',
  // Cells that are edited, and column types that render what is in them.
  'GridEditInputCell',
  'GridEditDateCell',
  'GridEditSingleSelectCell',
  'GridEditBooleanCell',
  'GridEditLongTextCell',
  'GridBooleanCell',
  'GridLongTextCell',
  'GridActionsCell',
  // Row editing, custom data sources, column groups, and printing.
  'useGridRowEditing',
  'useGridDataSource',
  'GridColumnGroupHeader',
  'useGridPrintExport',
];

/** The building blocks of these components. */
const theirParts = {
  Autocomplete: [],
  Chip: [],
  FormControl: [],
  FormControlLabel: ['formControlLabelClasses'],
  InputAdornment: ['inputAdornmentClasses'],
  InputBase: [],
  InputLabel: [],
  Select: [],
  Switch: [],
  Tab: [],
  TablePagination: ['tablePaginationClasses'],
  Tabs: [],
  TextField: [],
  TextareaAutosize: [],
  ToggleButton: [],
};

const stubbed = '\0lean-grid:';

/** The plugin. The build fails if the grid no longer has one of these files, or exports it in another way. */
export function leanGrid() {
  const left = new Set([...unused, ...Object.keys(theirParts)]);
  return {
    name: 'lean-grid',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer?.replaceAll('\\', '/').endsWith(`${grid}material/index.mjs`)) return null;
      const part = source.startsWith('@mui/material/') ? source.slice('@mui/material/'.length) : '';
      return Object.hasOwn(theirParts, part) ? stubbed + part : null;
    },
    load(id) {
      if (!id.startsWith(stubbed)) return null;
      const part = id.slice(stubbed.length);
      left.delete(part);
      const names = theirParts[part].map((name) => `export const ${name} = {};`);
      return `export default () => null;\n${names.join('\n')}`;
    },
    transform(code, id) {
      if (!id.replaceAll('\\', '/').includes(grid)) return null;
      const name = basename(id, '.mjs');
      if (!unused.includes(name)) return null;
      left.delete(name);
      const names = exportsOf(code);
      if (names.length === 0) this.error(`No exports are found in the grid's ${name}; see scripts/lean-grid.mjs.`);
      return `const absent = () => null;\nexport { ${names.map((exportName) => `absent as ${exportName}`).join(', ')} };`;
    },
    generateBundle() {
      if (left.size > 0) this.error(`The grid has no ${[...left].join(', ')} any more; see scripts/lean-grid.mjs.`);
    },
  };
}

/** The names that a module exports. */
function exportsOf(code) {
  const declaredNames = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
  const listedNames = [...code.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names]) =>
    names.split(',').map((name) => name.trim().split(' as ').at(-1)),
  );
  return [...declaredNames, ...listedNames].filter((name) => name !== '');
}
