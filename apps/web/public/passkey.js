// Log-in by a passkey. A file of its own, because the policy allows no inline script.
(() => {
  const place = document.getElementById('passkey');
  if (!place || !window.PublicKeyCredential?.parseRequestOptionsFromJSON) return;
  const button = place.querySelector('button');
  const alert = place.querySelector('[role=alert]');

  async function ask(path, body) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.message);
    return said;
  }

  async function logIn() {
    const options = await ask('/api/login/passkey/options', {});
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    await ask('/api/login/passkey', { response: credential.toJSON() });
    window.location.assign(place.dataset.returnTo);
  }

  button.addEventListener('click', () => {
    button.disabled = true;
    alert.textContent = '';
    logIn()
      .catch((error) => {
        // Who closed the browser's own dialog knows.
        if (error.name !== 'NotAllowedError') alert.textContent = error.message;
      })
      .finally(() => {
        button.disabled = false;
      });
  });
  place.hidden = false;
})();
