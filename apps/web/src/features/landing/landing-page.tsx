export function LandingPage() {
  return <main>Nephos</main>;
}
