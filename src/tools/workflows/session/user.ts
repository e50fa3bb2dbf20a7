import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'

export const user = defineAction({
  name: 'user',
  summary: 'see who you are to this server',
  input: {},
  example: {},
  async run({ services, caller }) {
    const handle = services.accounts.handleOf(caller.owner)
    return json({ userId: String(caller.owner), name: handle, handle, email: null, admin: caller.admin })
  },
})
