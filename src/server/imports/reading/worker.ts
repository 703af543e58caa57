import { serveImports } from './import-thread';

// The thread of products that read spreadsheets alone; one with readers of its own has a thread with them.
await serveImports([]);
