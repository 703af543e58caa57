import type { ExportFormat } from '../../engine/exports/file-name';

/** The media type of each export format. */
export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};
