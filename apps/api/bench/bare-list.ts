// The least that answers a signed-in list: Fastify and pg, the same two queries, nothing else.
import { createHash } from 'node:crypto';
import { createPool } from '@nephos/db';
import Fastify from 'fastify';

const { PORT, DATABASE_URL = '' } = process.env;
const pool = createPool({ url: DATABASE_URL });
const app = Fastify();

app.get('/api/projects', async (request, reply) => {
  const id = request.headers.cookie?.split('=')[1] ?? '';
  const sessions = await pool.query(
    `select users.*, sessions.public_id, trial_end_date > now() as trial_active,
       workspaces.id as workspace_id, workspaces.handle as workspace_handle, member.role as workspace_role
     from sessions join users on users.id = sessions.user_id
     join workspace_members member on member.user_id = users.id
       and member.workspace_id = coalesce(sessions.workspace_id, users.id)
     join workspaces on workspaces.id = member.workspace_id
     where sessions.id = $1 and sessions.expires_at > now()`,
    [createHash('sha256').update(id).digest('hex')],
  );
  const [user] = sessions.rows;
  if (!user) return reply.code(401).send({ message: 'Unauthorized' });
  const projects = await pool.query(
    `select projects.*, latest.id as latest_id, latest.status, latest.created_at as latest_created_at
     from projects left join lateral (
       select id, status, created_at from deployments
       where deployments.project_id = projects.id order by id desc limit 1
     ) latest on true
     where projects.owner_id = $1 order by projects.id desc limit 1000`,
    [user.workspace_id],
  );
  return projects.rows;
});

process.on('SIGTERM', () => process.exit(0));
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
process.stdout.write(`Nephos is ready at http://127.0.0.1:${PORT}\n`);
