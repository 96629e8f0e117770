const list = document.querySelector('ul');
const form = document.querySelector('form');
const message = document.querySelector('#message');

async function show() {
  const response = await fetch('/api/notes');
  const notes = await response.json();
  list.replaceChildren(
    ...notes.map(({ text }) => {
      const item = document.createElement('li');
      item.textContent = text;
      return item;
    }),
  );
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const text = new FormData(form).get('text');
  const response = await fetch('/api/notes', { method: 'POST', body: JSON.stringify({ text }) });
  message.textContent = response.ok ? '' : (await response.json()).message;
  if (response.ok) form.reset();
  await show();
});

await show();
