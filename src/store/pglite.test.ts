import { openPglite } from './pglite.ts'
import { storeContract } from './store.suite.ts'

storeContract('PostgreSQL in process', async () => ({ connect: openPglite, shared: false, drop: async () => {} }))
