import type { ExportFormat } from '../../engine/exports/file-name';

/** The media type of each form of a download. */
export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};
