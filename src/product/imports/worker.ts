import { serveImports } from '../../server/imports/reading/import-thread';
import { readJsonDocument } from './json-documents';
import { rewriteSpreadsheet } from './spreadsheets';
import { readXmlDocument } from './xml-documents';

// The thread of imports, with the formats of other programs for test management.
await serveImports([
  {
    resource: 'test-cases',
    readDocument: async (kind, text) => (kind === 'xml' ? readXmlDocument(text) : readJsonDocument(text)),
    rewriteSheet: rewriteSpreadsheet,
  },
]);
