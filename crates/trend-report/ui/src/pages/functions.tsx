export function Functions({ id }: { id: string }) {
  return <h1>Functions {id}</h1>;
}
